"""How this game calls what its clauses and commands put on the checklist, and where that is done."""

from forcepool.engine.game import TaskWords

TASKS = {
    "EF.expansion/7": TaskWords("Deploy factories", "/factories"),
    "EF.expansion/10": TaskWords("Take the factories' output", "/factories"),
    "EF.expansion/15": TaskWords("Factories to begin", "/factories"),
    "EF.expansion/16": TaskWords("Choose the first factory", "/factories"),
    "EF.reinforcements/17": TaskWords("Units that must go home"),
    "EF.reinforcements/21": TaskWords("Draw the Siberian Reserves"),
    "EF.reinforcements/25": TaskWords("Withdraw to Rumania"),
    "EF.replacements/4": TaskWords("Replace units"),
    "EF.replacements/7": TaskWords("Units held in Siberia"),
    "place-reinforcement": TaskWords("Place reinforcements"),
}
"""What its clauses and commands put on the checklist, in a player's words."""
