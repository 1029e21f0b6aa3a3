"""`return`: everybody's feedback in one zip file, under the names that the system knows them by."""

import json
import zipfile
from pathlib import Path

from coursekit.grading.lms.collect import senders_file
from coursekit.grading.messages import say


def give_back(root: Path, lab: str, archive: Path) -> list[str]:
    """Write the feedback on ``lab`` into ``archive``; the students whose feedback is in it.

    Each page goes under the name that the submission came under: Moodle takes back the folders that it gave out,
    Canvas and Blackboard the beginnings of the files' names. Who handed in otherwise has a folder of their id.

    Raises:
        ValueError: there is no feedback on the lab, or the archive is there already.
    """
    pages = sorted((root / "grading" / "feedback").glob(f"*/{lab}/*.html"))
    if not pages:
        raise ValueError(say("no_pages", lab=lab))
    if archive.exists():
        raise ValueError(say("archive_there", path=archive))
    path = senders_file(root, lab)
    senders = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    with zipfile.ZipFile(archive, "x", zipfile.ZIP_DEFLATED) as opened:
        for page in pages:
            student = page.parts[-3]
            sender = senders.get(student, {"system": "plain", "stem": student})
            joint = "_" if sender["system"] in ("canvas", "blackboard") else "/"
            opened.write(page, f"{sender['stem']}{joint}{page.name}")
    return sorted({page.parts[-3] for page in pages})
