"""Webhooks are verified by the Standard Webhooks specification."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import unittest
from datetime import datetime, timezone
from typing import Mapping

from modelscout import Webhook, WebhookVerificationError

#: The example of the specification's own libraries.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ID = "msg_p5jXN8AQM9LWM0D4loKWxJek"
AT = 1614265330
BODY = '{"test": 2432232314}'
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="

OTHER = "whsec_" + base64.b64encode(b"another secret of 32 characters").decode()
EVENT = json.dumps({"type": "webhook.test", "timestamp": "2026-11-22T09:30:00.000Z", "data": {"webhook_id": "wh_1"}})


def signed(body: str, secret: str = SECRET) -> str:
    key = base64.b64decode(secret[len("whsec_") :])
    return "v1," + base64.b64encode(hmac.new(key, f"{ID}.{AT}.{body}".encode(), hashlib.sha256).digest()).decode()


def headers(signature: str = SIGNATURE, at: str = str(AT)) -> Mapping[str, str]:
    return {"Webhook-Id": ID, "WEBHOOK-TIMESTAMP": at, "webhook-signature": signature}


class WebhookTest(unittest.TestCase):
    def refused(self, pattern: str, webhook: Webhook, body: str, given: Mapping[str, str], now: float = AT) -> None:
        with self.assertRaisesRegex(WebhookVerificationError, pattern):
            webhook.verify(body, given, now=now)

    def test_takes_the_example_of_the_specification(self) -> None:
        Webhook(SECRET).check(BODY, headers(), now=AT)
        Webhook(SECRET[len("whsec_") :]).check(BODY.encode(), headers(), now=AT)

    def test_reads_the_event(self) -> None:
        event = Webhook(SECRET).verify(EVENT.encode(), headers(signed(EVENT)), now=AT)
        self.assertEqual(event.id, ID)
        self.assertEqual(event.type, "webhook.test")
        self.assertEqual(event.timestamp, datetime(2026, 11, 22, 9, 30, tzinfo=timezone.utc))
        self.assertEqual(event.data, {"webhook_id": "wh_1"})

    def test_takes_one_good_signature_among_several_and_several_secrets(self) -> None:
        both = f"v1a,AAAA v1,not-base64! {signed(EVENT, OTHER)} {signed(EVENT)}"
        Webhook(SECRET).verify(EVENT, headers(both), now=AT)
        Webhook([OTHER, SECRET]).verify(EVENT, headers(signed(EVENT)), now=AT)
        self.refused("No signature", Webhook(OTHER), EVENT, headers(signed(EVENT)))

    def test_refuses_another_body_id_time_and_version(self) -> None:
        webhook = Webhook(SECRET)
        self.refused("No signature", webhook, EVENT + " ", headers(signed(EVENT)))
        self.refused("No signature", webhook, EVENT, {**headers(signed(EVENT)), "Webhook-Id": "msg_other"})
        self.refused("No signature", webhook, EVENT, headers(signed(EVENT), str(AT + 1)))
        self.refused("No signature", webhook, EVENT, headers(signed(EVENT).replace("v1,", "v1a,")))
        self.refused("No signature", webhook, EVENT, headers("v1,"))
        self.refused("No signature", webhook, EVENT, headers("v1,\udcff"))

    def test_refuses_old_and_future_requests(self) -> None:
        webhook = Webhook(SECRET)
        for age in (-300, 0, 300):
            webhook.verify(EVENT, headers(signed(EVENT)), now=AT + age)
        self.refused("301 seconds old; 300 are allowed", webhook, EVENT, headers(signed(EVENT)), AT + 301)
        self.refused("301 seconds ahead", webhook, EVENT, headers(signed(EVENT)), AT - 301)
        Webhook(SECRET, tolerance=3600).verify(EVENT, headers(signed(EVENT)), now=AT + 3600)

    def test_refuses_missing_and_malformed_headers(self) -> None:
        webhook = Webhook(SECRET)
        for name in headers():
            rest = {other: value for other, value in headers().items() if other != name}
            self.refused(f"{name.lower()} is missing", webhook, BODY, rest)
        for time in ("now", "-1", "1e9", "٣", "1" * 400, "1 "):
            self.refused("must be a number", webhook, BODY, headers(at=time))

    def test_refuses_signed_bodies_that_are_no_events(self) -> None:
        for body in (BODY, "[]", "null", "no json", '{"type":"a","timestamp":1,"data":{}}'):
            self.refused("no event", Webhook(SECRET), body, headers(signed(body)))

    def test_refuses_a_wrong_secret_without_showing_it(self) -> None:
        for secret in ("whsec_", "whsec_not base64", "", "whsec_geheim!"):
            with self.assertRaisesRegex(ValueError, "whsec_ and base64") as caught:
                Webhook(secret)
            self.assertNotIn("geheim", str(caught.exception))
        with self.assertRaisesRegex(ValueError, "no secret"):
            Webhook([])
        for tolerance in (float("nan"), -1.0):
            with self.assertRaisesRegex(ValueError, "tolerance must be"):
                Webhook(SECRET, tolerance=tolerance)


if __name__ == "__main__":
    unittest.main()
