"""A button that saves a drawing as PNG: the browser paints the SVG that it is given, and nothing is fetched."""

from typing import Any, cast

import streamlit as st

SCRIPT = """
export default function({ parentElement, data }) {
  const button = parentElement.querySelector("button");
  button.onclick = () => {
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = 2 * image.naturalWidth;
      canvas.height = 2 * image.naturalHeight;
      const paper = canvas.getContext("2d");
      paper.fillStyle = data.background;
      paper.fillRect(0, 0, canvas.width, canvas.height);
      paper.drawImage(image, 0, 0, canvas.width, canvas.height);
      const way = document.createElement("a");
      way.download = data.name;
      way.href = canvas.toDataURL("image/png");
      way.click();
    };
    image.src = "data:image/svg+xml;base64," + btoa(String.fromCodePoint(...new TextEncoder().encode(data.svg)));
  };
}
"""
STYLE = (
    "button{font:inherit;font-size:.875rem;min-height:2.5rem;padding:.25rem .75rem;cursor:pointer;"
    "color:var(--st-text-color);background:var(--st-background-color);"
    "border:1px solid var(--st-border-color);border-radius:.5rem}"
    "button:focus-visible{outline:3px solid var(--st-primary-color)}"
)


def png_button(svg: str, name: str, background: str) -> None:
    """Draw the button."""
    component = cast("Any", st).components.v2.component(
        "agents_eval_png", html="<button type='button'>Download PNG</button>", css=STYLE, js=SCRIPT
    )
    component(key=f"png {name}", data={"svg": svg, "name": name, "background": background})
