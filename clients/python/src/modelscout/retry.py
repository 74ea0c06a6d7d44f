"""Decides whether a call that failed is repeated, and when."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Optional

import grpc

from .errors import ModelscoutError

_UNAVAILABLE = grpc.StatusCode.UNAVAILABLE
_EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
#: Codes with which gRPC reports a broken connection, apart from UNAVAILABLE.
_BROKEN = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.CANCELLED)


@dataclass(frozen=True)
class RetryPolicy:
    """How often and how patiently a call is repeated.

    A call is repeated in two cases. The service has refused it and says after what time to try again (``retry_delay``
    of the error): this is safe for every method, because a refused call has done nothing. Or the service cannot be
    reached: then only calls that can be repeated without harm are repeated. These are calls that change nothing and use
    no quota, and calls with a ``request_id``. ``RetryPolicy(attempts=1)`` repeats nothing.
    """

    #: How often a call is tried in all, at least 1.
    attempts: int = 4
    #: The longest wait before a repetition in seconds. If the service asks for a longer one, the error is raised at once.
    longest_delay: float = 30.0
    #: The wait before the first repetition in seconds, if the service does not name one. It doubles each time.
    first_delay: float = 0.25

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ValueError(f"attempts is {self.attempts}; it must be 1 or more")
        if not 0 < self.first_delay <= self.longest_delay:
            raise ValueError(
                f"first_delay is {self.first_delay} and longest_delay {self.longest_delay};"
                " first_delay must be above 0 and at most longest_delay"
            )

    def delay(self, error: ModelscoutError, failures: int, repeatable: bool) -> Optional[float]:
        """The seconds to wait before a call is repeated.

        :param failures: how often it has failed by now.
        :param repeatable: whether a repetition does no harm even if the service has done the work.
        :returns: None if the call is not to be repeated.
        """
        if failures >= self.attempts:
            return None
        if error.retry_delay is not None and error.code in (_UNAVAILABLE, _EXHAUSTED):
            return self._asked_for(error.retry_delay)
        return self._backoff(failures) if repeatable and error.code is _UNAVAILABLE else None

    def delay_of_stream(self, error: ModelscoutError, failures: int) -> Optional[float]:
        """The seconds to wait before a broken stream is resumed; None if it is not to be resumed."""
        is_broken = error.reason is None and error.code in _BROKEN
        if is_broken and failures < self.attempts:
            return self._backoff(failures)
        return self.delay(error, failures, True)

    def _asked_for(self, delay: float) -> Optional[float]:
        if delay > self.longest_delay:
            return None
        # Callers that were refused together do not all come back at the same moment.
        return max(delay, 0.01) * random.uniform(1.0, 1.1)

    def _backoff(self, failures: int) -> float:
        longest = min(self.longest_delay, self.first_delay * 2.0 ** min(failures - 1, 30))
        return longest * random.uniform(0.5, 1.0)
