"""The client works on a page translated by the browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screens import a_new_sheet, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser

# Moves each text into two new `font` elements, as translation does, and removes React's text node.
TRANSLATE = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode())
    if (walker.currentNode.textContent.trim() && !walker.currentNode.parentElement.closest('script,style,font'))
      texts.push(walker.currentNode);
  for (const text of texts) {
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    inner.textContent = text.textContent;
    outer.append(inner);
    text.replaceWith(outer);
  }
}"""
# Text nodes that React created separately, because they have siblings. Field labels are an exception: Mantine adds an
# asterisk after the text, and never removes the text alone.
KEPT = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const kept = [];
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (!text.textContent.trim() || text.parentElement.closest('.mantine-InputWrapper-label')) continue;
    if (Object.keys(text).some((key) => key.startsWith('__reactFiber$')))
      kept.push(text.parentElement.outerHTML.slice(0, 300));
  }
  return kept;
}"""
SCREENS = (
    "/",
    "/patients",
    "/patients/create",
    "/consumption-sheets",
    "/consumption-sheets/closed",
    "/consumption-sheets/create",
    "/consumption-sheet-details",
    "/consumption-sheet-details/1/consumption-details",
    "/products",
    "/products/1",
    "/products/1/edit",
    "/rooms",
    "/areas/1",
    "/staff",
    "/users/account",
    "/reports/consumption",
    "/recalls",
    "/messages",
    "/imports/create",
)


def test_the_page_declares_its_language_and_no_translation(demo_server: Server, page: Page) -> None:
    page.goto(demo_server.address)
    html = page.locator("html")
    expect(html).to_have_attribute("translate", "no")
    expect(html).to_have_attribute("lang", "es")
    expect(page.locator("meta[name=google]")).to_have_attribute("content", "notranslate")
    page.get_by_role("button", name="English").click()
    expect(html).to_have_attribute("lang", "en")


@pytest.mark.parametrize("role", ["user", "supervisor"])
def test_lines_are_recorded_and_undone_on_a_translated_page(demo_server: Server, page: Page, role: str) -> None:
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    sign_in(page, demo_server, role)
    page.goto(a_new_sheet(demo_server)[1])
    product = page.get_by_role("combobox", name="Producto")
    for search, quantity in (("gasa", "2"), ("guante", "3")):
        page.evaluate(TRANSLATE)
        product.click()
        product.press_sequentially(search, delay=60)
        page.get_by_role("option").first.wait_for()
        page.evaluate(TRANSLATE)
        page.get_by_role("option").first.click()
        page.evaluate(TRANSLATE)
        field = page.get_by_role("textbox", name="Cantidad")
        field.fill(quantity)
        page.evaluate(TRANSLATE)
        field.press("Enter")
        expect(product).to_have_value("")
        page.evaluate(TRANSLATE)
    page.get_by_role("button", name=re.compile("^Deshacer .*guante", re.IGNORECASE)).click()
    page.evaluate(TRANSLATE)
    expect(page.get_by_text(re.compile("^Deshecho"))).to_have_count(1)
    expect(page.get_by_text("¡Oops!")).to_have_count(0)
    assert faults == []


def test_no_screen_has_text_nodes_with_siblings(demo_server: Server, page: Page) -> None:
    sign_in(page, demo_server, "supervisor")
    kept: dict[str, list[str]] = {}
    for screen in SCREENS:
        page.goto(f"{demo_server.address}{screen}")
        page.wait_for_load_state("networkidle")
        if found := page.evaluate(KEPT):
            kept[screen] = found
    assert kept == {}
