"""How the documentation is built: Sphinx with furo and MyST, nothing loaded from another host."""

import sys
import tomllib
from pathlib import Path

_root = Path(__file__).resolve().parent.parent
_project = tomllib.loads((_root / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = "forcepool"
author = "the forcepool authors"
project_copyright = "the forcepool authors"
release = version = _project["version"]

sys.path.insert(0, str(Path(__file__).resolve().parent))
extensions = ["myst_parser", "reference"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
suppress_warnings = ["myst.header"]

html_theme = "furo"
html_title = f"forcepool {release}"
html_show_sphinx = False
html_copy_source = False
# Players read this on paper and on old screens: no web fonts, larger type.
html_theme_options = {
    "light_css_variables": {"font-stack": "Georgia, 'Times New Roman', serif", "font-size--normal": "112.5%"},
    "dark_css_variables": {"font-stack": "Georgia, 'Times New Roman', serif", "font-size--normal": "112.5%"},
}
