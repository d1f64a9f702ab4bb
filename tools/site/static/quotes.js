"use strict";
// Below each result of a search, what its page says around the words looked for; and the number of pages, in the words of the site.
(() => {
  const results = document.getElementById("search-results");
  const query = new URLSearchParams(location.search).get("q") ?? "";
  const elsewhere = document.querySelector(".search-elsewhere a");
  elsewhere.href += `?q=${encodeURIComponent(query)}`;
  elsewhere.parentElement.hidden = !query;
  const wanted = [query.trim(), ...query.trim().split(/\s+/), ...splitQuery(query)].map((word) => word.toLowerCase());

  // The first place of the longest wanted words that the text has.
  const placeIn = (text) => {
    for (const word of wanted) {
      const at = word ? text.toLowerCase().indexOf(word) : -1;
      if (at >= 0) return { at, length: word.length };
    }
    return { at: 0, length: 0 };
  };
  const quote = (text) => {
    const { at, length } = placeIn(text);
    const from = Math.max(0, at - 60);
    const line = document.createElement("p");
    line.className = "context";
    const mark = document.createElement("mark");
    mark.textContent = text.slice(at, at + length);
    line.append(from ? "… " : "", text.slice(from, at), length ? mark : "", text.slice(at + length, from + 200), " …");
    return line;
  };
  const seen = new Set();
  const describe = (item) => {
    const link = item.querySelector("a");
    if (!link || item.querySelector(".context")) return;
    const page = link.getAttribute("href").split("#")[0];
    const text = window.pageTexts?.[page.replace(/\.html$/, "")];
    if (text && !seen.has(page)) item.append(quote(text));
    seen.add(page);
  };
  const count = () => {
    const found = results.querySelectorAll("ul.search > li").length;
    const { none, one, many, results: title } = results.dataset;
    const heading = results.querySelector("h2");
    const summary = results.querySelector(".search-summary");
    if (!heading || !summary?.textContent) return; // still at it
    const words = found === 0 ? none : found === 1 ? one : many.replace("{}", found);
    if (summary.textContent !== words) summary.textContent = words;
    if (heading.textContent !== title) heading.textContent = title;
    results.dataset.done = "true";
  };
  new MutationObserver(() => {
    results.querySelectorAll("ul.search > li").forEach(describe);
    count();
  }).observe(results, { childList: true, subtree: true, characterData: true });
})();
