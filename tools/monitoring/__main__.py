"""Write the alert rules, the dashboard and the page's table: ``make monitoring``."""

from tools.monitoring.files import ROOT, generated_files


def main() -> None:
    for path, text in generated_files().items():
        path.write_text(text)
        print(path.relative_to(ROOT))


main()
