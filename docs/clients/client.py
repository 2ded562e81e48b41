"""A client of `gong rpc` in Python: python3 client.py "what does this repository do?"

Prints the answer while it streams, asks for permission, and exits with the status of the run.
"""

import itertools
import json
import subprocess
import sys

gong = subprocess.Popen(["gong", "rpc"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
count = itertools.count(1)


def send(command, **fields):
    """Sends a command and returns its id, which its response line contains."""
    number = next(count)
    gong.stdin.write(json.dumps({"id": number, "type": command, **fields}) + "\n")
    gong.stdin.flush()
    return number


def may_run(question):
    print(f"\nRun \"{question['title']}\" ({question['reason']})? [y/n] ", end="", flush=True)
    choice = "once" if sys.stdin.readline().startswith("y") else "no"
    send("permission_reply", target=question["id"], choice=choice)


def main(prompt):
    send("hello", protocol=1)
    send("prompt", text=prompt)
    for text in gong.stdout:
        line = json.loads(text)
        if line["type"] == "response" and not line["success"]:
            print(line["error"]["message"], file=sys.stderr)
            return 1
        if line["type"] == "message_update" and line["kind"] == "text":
            print(line["delta"], end="", flush=True)
        if line["type"] == "permission_request":
            may_run(line)
        # All other lines and unknown fields are ignored.
        if line["type"] == "result":
            return line["exit"]
    return 1


status = main(sys.argv[1] if len(sys.argv) > 1 else "What does this repository do?")
print()
gong.stdin.close()
gong.wait()
sys.exit(status)
