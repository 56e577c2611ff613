"""Reading what a browser stores on its device."""

from playwright.sync_api import Page

# Everything stored, as text: databases, cached files except assets, local and session storage.
KEPT = """async () => {
    const kept = {local: {...localStorage}, session: {...sessionStorage}, databases: {}, caches: {}};
    const done = request => new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
    for (const {name} of await indexedDB.databases()) {
        const database = await done(indexedDB.open(name));
        const stores = kept.databases[name] = {};
        for (const store of database.objectStoreNames)
            stores[store] = await done(database.transaction(store).objectStore(store).getAll());
        database.close();
    }
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys())
            if (!/[.](js|css|woff2)$/.test(request.url))
                kept.caches[request.url] = await (await cache.match(request)).text();
    }
    return kept;
}"""
# Wait until a store has that many records; 0 waits until it is empty.
KEEPS = f"""async ([store, asked]) => {{
    for (const until = Date.now() + 30_000; Date.now() < until; await new Promise(done => setTimeout(done, 100))) {{
        const records = (await ({KEPT})()).databases.consumo?.[store] ?? [];
        const isWhole = one => (one.sheet || one.area_sheet) && one.lines?.length > 0;
        const whole = records.filter(one => store !== 'sheets' || isWhole(one));
        if (asked === 0 ? records.length === 0 : whole.length >= asked) return true;
    }}
    return false;
}}"""


def until_kept(page: Page, store: str, number: int = 1) -> None:
    assert page.evaluate(KEEPS, [store, number])
