"""The examples of README.md run as they are, against a running service."""

from __future__ import annotations

import contextlib
import io
import os
import re
import threading
import time
import unittest
from http.server import HTTPServer
from pathlib import Path
from typing import Any, Dict

from modelscout import ModelscoutClient
from modelscout.v1 import CreateWebhookRequest, TestWebhookRequest, Webhook
from test_service import KEY, URL, add_model

README = Path(__file__).resolve().parent.parent / "README.md"


@unittest.skipUnless(URL, "no service is running; test/packages/python/service.test.ts starts one")
class ReadmeTest(unittest.TestCase):
    def test_all_cells_run(self) -> None:
        os.environ["MODELSCOUT_API_KEY"] = KEY
        client = ModelscoutClient(URL, api_key=KEY)
        self.addCleanup(client.close)
        # The cell with the stream waits for a model that arrives after its interest was saved.
        threading.Thread(target=self.add_model_for_interest, args=(client,), daemon=True).start()
        cells = re.findall(r"^```python\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)
        self.assertGreater(len(cells), 6)
        scope: Dict[str, Any] = {"__name__": "readme"}
        printed = io.StringIO()
        for cell in cells:
            with contextlib.redirect_stdout(printed):
                exec(compile(cell.replace("http://127.0.0.1:8080", URL), "README.md", "exec"), scope)
        scope["client"].close()
        for expected in (r"^0\.\d\d  \S+/\S+  .+", "GB of memory", "^INVALID_REQUEST$", "^top_k: ", "families,", "count cars"):
            self.assertRegex(printed.getvalue(), re.compile(expected, re.MULTILINE))
        self.receive(client, scope["Receiver"])

    def add_model_for_interest(self, client: ModelscoutClient) -> None:
        for _ in range(500):
            if any(it.name == "meetings" for it in client.interest.iter_interests()):
                add_model("readme/transcriber")
                return
            time.sleep(0.2)

    def receive(self, client: ModelscoutClient, receiver: Any) -> None:
        """The receiver of the example takes a real webhook, and refuses one that is signed with another secret."""
        receiver.log_message = lambda *_: None
        server = HTTPServer(("127.0.0.1", 0), receiver)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        made = client.webhook.create_webhook(
            CreateWebhookRequest(webhook=Webhook(url=f"http://127.0.0.1:{server.server_port}/"))
        )
        os.environ["MODELSCOUT_WEBHOOK_SECRET"] = made.secret
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertEqual(client.webhook.test_webhook(TestWebhookRequest(id=made.id)).state, "delivered")
        self.assertIn("webhook.test", printed.getvalue())
        os.environ["MODELSCOUT_WEBHOOK_SECRET"] = "whsec_b3RoZXI="
        refused = client.webhook.test_webhook(TestWebhookRequest(id=made.id))
        self.assertEqual(refused.attempts[0].status_code, 400)


if __name__ == "__main__":
    unittest.main()
