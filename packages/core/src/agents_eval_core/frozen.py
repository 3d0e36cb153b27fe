"""The base of every value that crosses a border: immutable, and strict about its fields."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value: never changed after it is made, and no field that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    def changed(self, **changes: Any) -> Self:
        """Return a copy with some fields replaced."""
        return self.model_copy(update=changes)
