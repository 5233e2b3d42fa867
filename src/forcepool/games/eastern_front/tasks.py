"""How this game calls what its clauses put on the checklist, and where that is done."""

from forcepool.engine.game import TaskWords

TASKS = {
    "EF.expansion/6": TaskWords("Factories on their way", "/factories"),
    "EF.expansion/7": TaskWords("Deploy factories", "/factories"),
    "EF.expansion/10": TaskWords("Take the factories' output", "/factories"),
    "EF.expansion/15": TaskWords("Factories to begin", "/factories"),
    "EF.expansion/16": TaskWords("Choose the first factory", "/factories"),
    "EF.moving/2": TaskWords("Factories in danger", "/factories"),
    "EF.moving/13": TaskWords("Entrained factories", "/factories"),
    "EF.moving/14": TaskWords("Factories in danger", "/factories"),
    "EF.reinforcements/4": TaskWords("Place reinforcements"),
    "EF.reinforcements/17": TaskWords("Units that must go home"),
    "EF.reinforcements/21": TaskWords("Draw the Siberian Reserves"),
    "EF.reinforcements/22": TaskWords("Place the 1st Polish Army"),
    "EF.reinforcements/25": TaskWords("Withdraw to Rumania"),
    "EF.replacements/4": TaskWords("Replace units"),
    "EF.replacements/5": TaskWords("Take Siberian replacements"),
    "EF.replacements/7": TaskWords("Units held in Siberia"),
}
"""What its clauses put on the checklist, in a player's words."""
