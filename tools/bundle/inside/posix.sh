#!/bin/sh
# forcepool @VERSION@. Double-click this file; what it runs is in the folder "program" beside it.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

# One window with a sentence in it, whatever this desktop has for that; else the terminal.
say() {
  if command -v osascript >/dev/null 2>&1; then
    osascript -e 'on run words' -e 'display dialog (item 1 of words) with title "forcepool" buttons {"OK"} default button 1' \
      -e 'end run' "$1" >/dev/null 2>&1 && return
  fi
  if [ -n "$DISPLAY$WAYLAND_DISPLAY" ] && ! [ -t 1 ]; then
    zenity --error --no-markup --title=forcepool --text="$1" 2>/dev/null && return
    kdialog --title forcepool --error "$1" 2>/dev/null && return
    xmessage -center "$1" 2>/dev/null && return
  fi
  printf '\n  %s\n\n' "$1" >&2
  if [ -t 0 ]; then printf 'Press Enter to close. ' >&2; read -r _; fi
}

if ! [ -f "$here/program/@SCRIPT@" ]; then
  say "The rest of forcepool is not here. Unpack the whole zip file, then double-click this file in the new folder."
  exit 1
fi

# Without a terminal nobody could see what it says, or end it by closing its window.
if [ "@SYSTEM@" = linux ] && ! [ -t 1 ] && [ -z "$FORCEPOOL_IN_WINDOW" ] && [ -n "$DISPLAY$WAYLAND_DISPLAY" ]; then
  export FORCEPOOL_IN_WINDOW=1
  command -v x-terminal-emulator >/dev/null 2>&1 && exec x-terminal-emulator -e "$here/$(basename -- "$0")" "$@"
  command -v gnome-terminal >/dev/null 2>&1 && exec gnome-terminal -- "$here/$(basename -- "$0")" "$@"
  command -v konsole >/dev/null 2>&1 && exec konsole -e "$here/$(basename -- "$0")" "$@"
  command -v xterm >/dev/null 2>&1 && exec xterm -e "$here/$(basename -- "$0")" "$@"
fi

fits() { [ "$("$1" "$here/program/start.py" --fits 2>/dev/null)" = fits ]; }

# A Mac without Apple's developer tools has a python3 that only offers to install them.
theirs=yes
if [ "$(uname)" = Darwin ] && ! xcode-select -p >/dev/null 2>&1; then theirs=; fi
found=
brew=/opt
for version in @PYTHONS@; do
  for python in "/Library/Frameworks/Python.framework/Versions/$version/bin/python$version" \
    "$brew/homebrew/bin/python$version" "/usr/local/bin/python$version" "python$version"; do
    if fits "$python"; then found=$python; break 2; fi
  done
done
if [ -z "$found" ]; then
  for python in python3 python; do
    at=$(command -v "$python") || continue
    if [ -z "$theirs" ] && [ "$at" = "/usr/bin/$python" ]; then continue; fi
    if fits "$python"; then found=$python; break; fi
  done
fi
if [ -z "$found" ]; then
  if [ "@SYSTEM@" = macos ]; then get="Get Python @GET@ from python.org/downloads"
  else get="Get Python 3.11 or later with your system's own software shop (the package is called python3)"; fi
  say "forcepool needs Python, and none that serves was found on this computer. $get, then double-click this file again."
  exit 1
fi
{ "$found" -X utf8 "$here/program/@SCRIPT@" "$@"; exit; }
