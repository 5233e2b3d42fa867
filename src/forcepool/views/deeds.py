"""What was done, counted as one tells it across the table: 'lost 14 units, rebuilt 3 cadres, ended 2 phases'."""

import re
from collections import Counter
from collections.abc import Iterable

DEEDS = {
    "activate-coast-defence": "put {coast defence} into service",
    "activate-early": "tried to bring {forming unit} into play",
    "activate-training": "took {training unit} out of garrison",
    "add-crossing-bonus": "added {crossing bonus}",
    "add-entries": "added to the order of battle {time}",
    "add-unit": "added {counter}",
    "advance": "ended {phase}",
    "allot": "allotted points {time}",
    "allot-added": "chose the front of {unit}",
    "allot-forming": "chose the MD of {unit}",
    "asks": "asked for an undo {time}",
    "break-down": "broke down {unit}",
    "carry-out": "carried out {entry} of the order of battle",
    "choose-factory": "began {factory}",
    "choose-first-factory": "chose the first factory {time}",
    "convert": "made {conversion}",
    "convert-air": "converted {air unit}",
    "correct-points": "corrected {balance}",
    "count-fragile": "counted {fragile unit}",
    "declare": "declared {thing}",
    "deploy-factory": "deployed {factory}",
    "disarm": "carried out {disarming}",
    "disband": "disbanded {unit}",
    "disband-militia": "disbanded {militia unit}",
    "disband-nkvd": "disbanded {NKVD unit}",
    "disrupt": "took {disrupted unit} off the map",
    "disrupt-points": "disrupted strength points {time}",
    "dissolve-auxiliary-pool": "gave up {auxiliary pool}",
    "draft": "held {draft}",
    "draw-reserve": "drew {unit} for the Siberian Reserves",
    "drop-limited-status": "dropped the limited status of {type}",
    "enter-from-siberia": "brought in {unit} from Siberia",
    "enter-reserve": "put {unit} into operational reserve",
    "enter-strategic-reserve": "put {unit} into strategic reserve",
    "entrain": "entrained {factory}",
    "evacuate": "evacuated {unit}",
    "form": "formed {composite unit}",
    "form-auxiliary-pool": "declared {auxiliary pool}",
    "form-division": "formed {division}",
    "give-aid": "gave aid {time}",
    "hold-back": "held back {reinforcement}",
    "house-rule": "changed {house rule}",
    "join-local-pool": "joined {local pool} to its front",
    "land": "landed {unit}",
    "leave-isolated-box": "brought {unit} out of the ELIMINATED ISOLATED BOX",
    "leave-reserve": "took {unit} out of operational reserve",
    "leave-strategic-reserve": "took {unit} out of strategic reserve",
    "lose": "took {loss}",
    "make-new-unit": "made {new unit}",
    "mark-reserve": "placed Reserve markers {time}",
    "move-factory": "moved {factory}",
    "move-operationally": "moved {unit} on the map",
    "move-strategically": "moved {unit} strategically",
    "move-units": "recorded {move}",
    "note": "wrote {remark}",
    "pay-casualties": "paid for {loss}",
    "place": "placed {unit}",
    "place-air": "placed {air unit}",
    "place-points": "brought points onto the map {time}",
    "place-reinforcement": "placed {reinforcement}",
    "produce": "took the output of {factory}",
    "promises": "had the dice sealed anew {time}",
    "put-unit": "put {counter} right",
    "quote-reserves": "asked what reserves would cost {time}",
    "raise-air-status": "raised the status of {air unit}",
    "rebase-air": "rebased {air unit}",
    "rebuild-cadre": "rebuilt {cadre}",
    "rebuild-contingent": "rebuilt {contingent}",
    "rebuild-remnant": "rebuilt {remnant}",
    "rebuild-substitute": "rebuilt {cadre} as a substitute",
    "recall-scrapped": "recalled {scrapped unit}",
    "receive-points": "received points {time}",
    "recover": "recovered the strength of {unit}",
    "redo": "brought back what was undone {time}",
    "refit": "sent {cadre} to refit",
    "regroup-air": "regrouped air units {time}",
    "reinforce": "brought in {reinforcement}",
    "release-from-garrison": "released {unit} from garrison",
    "release-reserve": "freed units of the national reserve {time}",
    "remove-entry": "took {line} out of the order of battle",
    "remove-from-pool": "took {unit} out of the replacement pool",
    "reorganise": "reorganised {division}",
    "repair-air": "repaired {air unit}",
    "repay-debt": "paid back debts {time}",
    "replace": "replaced {unit}",
    "replace-air": "replaced {air unit}",
    "replace-contingent": "replaced {contingent}",
    "replace-free": "replaced {unit} free of charge",
    "reserve-after-conversion": "settled the reserve of {converted unit}",
    "restore-limited-status": "restored the limited status of {type}",
    "return-air": "took back {withdrawn air unit}",
    "roll-border-bonus": "rolled {border bonus}",
    "roll-capture-bonus": "rolled {capture bonus}",
    "roll-damage": "rolled for damage {time}",
    "roll-deployment": "rolled {deployment die}",
    "roll-surprise-bonus": "rolled {surprise bonus}",
    "scrap": "scrapped {unit}",
    "send-home": "sent home {unit}",
    "send-special": "sent special replacements to an MD {time}",
    "set-up": "set up {unit}",
    "settle-air-result": "settled {air result}",
    "take-hexes": "took hexes {time}",
    "take-siberian": "took {unit} for Siberia",
    "train-cadre": "sent {cadre} to be trained",
    "transfer-arps": "sent ARPs to another theatre {time}",
    "transfer-points": "moved points between pools {time}",
    "transfer-unit": "moved {unit} between pools",
    "undo": "turned back {time}",
    "upgrade-division": "upgraded {division}",
    "use-points": "used points {time}",
    "withdraw": "withdrew {unit}",
    "withdraw-air": "withdrew {air unit}",
    "withdraw-from-pool": "withdrew {unit} from the replacement pool",
    "writes": "wrote {message}",
}
"""What is told of each command, and of undo, redo and the like; '{cadre}' becomes '1 cadre' or '3 cadres'."""
PLURALS = {"loss": "losses", "bonus": "bonuses", "entry": "entries", "die": "dice", "factory": "factories"}
TIMES = {1: "", 2: " twice"}
COUNTED = re.compile(r" \{(?P<what>.*?)(?P<noun>\w+)\}")


def deeds(names: Iterable[str]) -> str:
    """Commands given, the most frequent first: 'took 14 losses, rebuilt 1 cadre, gave aid twice'."""
    counts = Counter(names)
    return ", ".join(deed(name, count) for name, count in sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def deed(name: str, count: int) -> str:
    """A command given so many times: 'rebuilt 3 cadres'."""

    def counted(found: re.Match[str]) -> str:
        noun = found["noun"]
        if noun == "time":
            return TIMES.get(count, f" {count} times")
        return f" {count} {found['what']}{noun if count == 1 else PLURALS.get(noun, f'{noun}s')}"

    return COUNTED.sub(counted, DEEDS.get(name, f"gave '{name.replace('-', ' ')}' {{time}}"))
