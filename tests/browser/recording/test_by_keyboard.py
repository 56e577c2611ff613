"""The whole job by keyboard alone: after each step the focus is visible, and never on the page itself."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import Error as PlaywrightError

from tests.browser.recording.test_main_job import PASSWORD, record
from tests.browser.screens import Caller, a_page, settle
from tests.servers import Server

pytestmark = pytest.mark.browser

# Whether no dialog or menu is open, and what has the focus can be seen; else what has it.
FOCUS = """() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return 'the page itself';
    const name = focused.outerHTML.slice(0, 120);
    if (document.querySelector('[role=dialog], [role=menu]')) return `a layer is open: ${name}`;
    const { width, height, top, bottom } = focused.getBoundingClientRect();
    if (width * height === 0 || bottom < 0 || top > innerHeight) return `out of view: ${name}`;
    const { outlineStyle, boxShadow } = getComputedStyle(focused);
    const isMarked = outlineStyle !== 'none' || boxShadow !== 'none'
        || getComputedStyle(focused, '::after').outlineStyle !== 'none';
    return isMarked ? '' : `unmarked: ${name}`;
}"""
NAME = "() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.innerText ?? ''"
ARE_THREE_NEWER = """newest =>
    [...document.querySelectorAll('tr[id^=detail-]')].filter(({ id }) => id.slice(7) > newest).length === 3"""
# As if the address had just been entered.
START = """() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
}"""


class Hands:
    """Keys, and nothing else."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def rests(self, step: str) -> None:
        """Check the focus once the layers are closed."""
        try:
            self.page.wait_for_function(f"() => ({FOCUS})() === ''")
        except PlaywrightError:
            raise AssertionError(f"{step}: {self.page.evaluate(FOCUS)}") from None

    def enter_dialog(self) -> None:
        """Wait until the focus is in the dialog."""
        # A key that is pressed before belongs to the menu that opened it.
        self.page.wait_for_function("() => document.querySelector('[role=dialog]')?.contains(document.activeElement)")

    def reach(self, name: str, *, by: str = "Tab", most: int = 40) -> int:
        """Press a key until this name has the focus; return the stops before."""
        for stops in range(most):
            self.press(by)
            if re.search(name, str(self.page.evaluate(NAME))):
                return stops
        raise AssertionError(f"{by} does not reach {name}")

    def row(self) -> str:
        return str(self.page.evaluate("() => document.activeElement?.closest('tr')?.id ?? ''"))


def test_the_whole_job_is_done_by_keyboard(browser: Browser, demo_server: Server) -> None:
    supervisor = Caller(demo_server).sign_in("supervisor")
    sheets = supervisor.call("GET", "consumption-sheets?limit=50")["items"]
    fullest = max(sheets, key=lambda one: sum(day["details"] for day in one["consumptions"]))
    with a_page(browser, viewport={"width": 1366, "height": 768}) as (page, complaints):
        hands = Hands(page)
        page.goto(demo_server.address)
        expect(page.get_by_label("Correo electrónico")).to_be_focused()
        page.keyboard.type("supervisor@consumo.test")
        hands.press("Tab")
        page.keyboard.type(PASSWORD)
        hands.press("Enter")
        expect(page.get_by_role("button", name="Cerrar sesión")).to_be_visible()
        settle(page)
        hands.rests("sign-in")

        page.evaluate(START)
        hands.reach("^Inicio")
        hands.reach("^Hojas de consumo", by="ArrowDown")
        hands.press("Enter")
        expect(page).to_have_url(re.compile("/consumption-sheets$"))
        settle(page)
        hands.rests("the menu")

        page.goto(f"{demo_server.address}/consumption-sheet-details/{fullest['id']}/consumption-details")
        rows = page.locator("tr[id^=detail-]")
        rows.first.wait_for()
        settle(page)
        bar = page.get_by_role("combobox", name="Producto")
        expect(bar).to_be_focused()
        # Few stops before the bar, and one for all lines.
        page.evaluate(START)
        assert hands.reach("^Producto$") <= 12
        page.evaluate("() => document.querySelector('tr[id^=detail-]').focus()")
        first = hands.row()
        hands.press("Tab")
        assert hands.row() == ""
        hands.press("Shift+Tab")
        assert hands.row() == first

        # Each value below the bar opens what changes it.
        for name in ("^como ", "^en ", "ahora$"):
            page.evaluate("() => document.querySelector('[data-scan=bar]').focus()")
            hands.reach(name)
            hands.press("Enter")
            expect(
                page.locator("select:focus, form input:focus:not([data-scan]):not([data-path=quantity])")
            ).to_be_visible()
            hands.press("Escape")
            hands.rests(name)

        newest = int(str(rows.first.get_attribute("id")).removeprefix("detail-"))
        for _ in range(3):
            record(page, "gasa esteril", "2")
        page.wait_for_function(ARE_THREE_NEWER, arg=newest)
        # The list is read again after each line.
        settle(page)
        hands.rests("recording")

        hands.press("ArrowUp")
        first = hands.row()
        assert first == rows.first.get_attribute("id")
        hands.press("End")
        page.wait_for_function("id => document.activeElement.id !== id", arg=first)
        assert hands.row() == rows.last.get_attribute("id")
        hands.rests("End")
        hands.press("Home")
        page.wait_for_function("id => document.activeElement.id === id", arg=first)
        hands.rests("Home")

        for key, end in (("F2", "Escape"), ("Enter", "Enter")):
            hands.press(key)
            expect(page.get_by_role("table").get_by_label("Cantidad")).to_be_focused()
            if end == "Enter":
                page.keyboard.type("5")
            hands.press(end)
            expect(page.get_by_role("table").get_by_label("Cantidad")).to_have_count(0)
            hands.rests(f"editing, {end}")
            assert hands.row() == first

        hands.reach("^Deshacer", by="ArrowRight")
        hands.press("Enter")
        expect(page.locator(f"#{first}")).to_have_count(0)
        hands.rests("undoing")
        second = hands.row()
        assert second == rows.first.get_attribute("id")

        hands.press("Delete")
        hands.enter_dialog()
        hands.press("Escape")
        hands.rests("declining")
        assert hands.row() == second
        hands.press("Delete")
        hands.enter_dialog()
        hands.reach("^Borrar$")
        hands.press("Enter")
        expect(page.locator(f"#{second}")).to_have_count(0)
        hands.rests("deleting")
        assert hands.row() == rows.first.get_attribute("id")

        # The line of another person needs a reason. The list is read again before.
        settle(page)
        last = str(rows.last.get_attribute("id"))
        hands.press("End")
        page.wait_for_function("id => document.activeElement.id === id", arg=last)
        hands.rests("End")
        before = rows.nth(-2).get_attribute("id")
        hands.press("Delete")
        hands.enter_dialog()
        hands.reach("^Error de cantidad|^Duplicad|^Otro|^Paciente|^Producto")
        hands.press("Enter")
        hands.reach("^Borrar|^Anular")
        hands.press("Enter")
        expect(page.locator(f"#{last}")).to_have_count(0)
        hands.rests("voiding")
        assert hands.row() == before

        # Escape leaves every layer.
        settle(page)
        kept = hands.row()
        for item in ("Devolver", "Mover"):
            hands.reach("^Más acciones: ", by="ArrowRight")
            hands.press("Enter")
            expect(page.get_by_role("menu")).to_be_visible()
            hands.press("Escape")
            hands.rests("a menu")
            hands.press("Enter")
            expect(page.locator("[role=menuitem]:focus")).to_be_visible()
            if not str(page.evaluate(NAME)).startswith(item):
                hands.reach(f"^{item}", by="ArrowDown")
            hands.press("Enter")
            hands.enter_dialog()
            hands.press("Escape")
            hands.rests(item)
            assert hands.row() == kept
            hands.press("Escape")
            assert page.evaluate("() => document.activeElement.id") == kept
        for key in ("?", "Control+k"):
            hands.press(key)
            hands.enter_dialog()
            hands.press("Escape")
            hands.rests(key)
        for item in ("Repetir de otro día", "Trasladar|Mover|Cambiar de", "Líneas anuladas", "Guardar como kit"):
            page.evaluate(START)
            hands.reach("^Más acciones$")
            hands.press("Enter")
            expect(page.get_by_role("menu")).to_be_visible()
            hands.reach(item, by="ArrowDown")
            hands.press("Enter")
            hands.enter_dialog()
            hands.press("Escape")
            hands.rests(item)

        page.evaluate(START)
        hands.reach("^Cerrar hoja$")
        hands.press("Enter")
        hands.enter_dialog()
        hands.press("Escape")
        hands.rests("not closing")
        assert "Cerrar hoja" in str(page.evaluate(NAME))
        hands.press("Enter")
        hands.enter_dialog()
        hands.reach("^Finalizar$")
        hands.press("Enter")
        expect(page).to_have_url(re.compile("/consumption-sheets$"))
        settle(page)
        hands.rests("closing")
        assert complaints == []
