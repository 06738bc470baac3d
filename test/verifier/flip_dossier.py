"""What envelope_report.py says of dossiers, one after the other in one process.

    flip_dossier.py DOSSIER.zip KEYS.json

Each line of the input is JSON: {"at", "xor"} for the dossier with this byte changed, or {"zip"} for another one in base64. Answers a list: what each proves.
"""

import base64
import json
import sys

from envelope_report import check_dossier
from independent_verifier import read_keys


def main(file, keys):
    with open(keys, encoding="utf-8") as opened:
        known = read_keys(json.load(opened)["platform_keys"])
    with open(file, "rb") as opened:
        whole = opened.read()

    def given(line):
        said = json.loads(line)
        if "zip" in said:
            return base64.b64decode(said["zip"])
        changed = bytearray(whole)
        changed[said["at"]] ^= said["xor"]
        return bytes(changed)

    print(json.dumps([check_dossier(given(line), known)[1] for line in sys.stdin]))


if __name__ == "__main__":
    main(*sys.argv[1:])
