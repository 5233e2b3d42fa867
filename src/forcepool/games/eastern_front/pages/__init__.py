"""What this game shows beyond what every game does: its pages in the browser."""

from forcepool.games.eastern_front.pages import factories

PAGES = (factories.PAGE,)
