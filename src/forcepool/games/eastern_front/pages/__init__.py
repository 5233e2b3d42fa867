"""What this game shows beyond what every game does: its pages in the browser."""

from forcepool.games.eastern_front.pages import factories
from forcepool.views.board import Words

PAGES = (factories.PAGE,)

TASKS = (
    ("EF.expansion/7", Words("Deploy factories", "/factories")),
    ("EF.expansion/10", Words("Take the factories' output", "/factories")),
    ("EF.expansion/15", Words("Factories to begin", "/factories")),
    ("EF.expansion/16", Words("Choose the first factory", "/factories")),
    ("EF.reinforcements/17", Words("Units that must go home")),
    ("EF.reinforcements/21", Words("Draw the Siberian Reserves")),
    ("EF.reinforcements/25", Words("Withdraw to Rumania")),
    ("EF.replacements/4", Words("Replace units")),
    ("EF.replacements/7", Words("Units held in Siberia")),
    ("place-reinforcement", Words("Place reinforcements")),
)
"""What its clauses and commands put on the checklist, in a player's words."""
