"""A client of pyright's language server: the texts that an editor shows where the mouse rests."""

import itertools
import json
import os
import subprocess


class Client:
    """A running server, which is asked about one script in a folder."""

    def __init__(self, command, folder):
        self.folder, self.numbers = folder, itertools.count(1)
        pipe = subprocess.PIPE
        self.server = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, cwd=folder)
        root, able = {"uri": folder.as_uri(), "name": folder.name}, {"workspace": {"configuration": True}}
        self.ask("initialize", processId=os.getpid(), rootUri=root["uri"], workspaceFolders=[root], capabilities=able)
        self.send(method="initialized", params={})

    def send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def read(self):
        """The server's next message."""
        length = 0
        while line := self.server.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return json.loads(self.server.stdout.read(length))

    def ask(self, method, **parameters):
        """The server's answer to a request; what it asks meanwhile is answered by nothing."""
        number = next(self.numbers)
        self.send(id=number, method=method, params=parameters)
        while True:
            message = self.read()
            if "method" in message and "id" in message:
                items = message["params"].get("items", ())
                self.send(id=message["id"], result=[{} for _ in items] or None)
            elif message.get("id") == number:
                return message.get("result")

    def hover(self, text, *words):
        """The texts shown over the last letters of each word, at its first place in a script."""
        document = {"uri": (self.folder / "script.py").as_uri()}
        opened = document | {"languageId": "python", "version": 1, "text": text}
        self.send(method="textDocument/didOpen", params={"textDocument": opened})
        for word in words:
            before = text[: text.index(word) + len(word) - 1]
            place = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
            shown = self.ask("textDocument/hover", textDocument=document, position=place)
            yield shown["contents"]["value"] if shown else ""

    def close(self):
        self.ask("shutdown")
        self.send(method="exit")
        self.server.communicate(timeout=30)
