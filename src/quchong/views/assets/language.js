"use strict";
// Words, numbers and times in the language of the reader.
(function (q) {
  const kept = (name, otherwise, known) => {
    try {
      const found = window.localStorage.getItem("quchong." + name);
      return known.includes(found) ? found : otherwise;
    } catch {
      return otherwise;
    } // a browser that keeps nothing for files
  };
  q.keep = (name, value) => {
    try {
      window.localStorage.setItem("quchong." + name, value);
    } catch {
      /* not kept */
    }
  };

  q.language = kept("language", q.model.language, ["en", "zh"]);
  q.theme = kept("theme", "auto", ["auto", "light", "dark"]);

  /** A word of the page; values take the places of {0}, {1}, or of the names of one object. */
  q.t = function (key, ...values) {
    const said = q.words[key];
    if (!said) throw new Error("no word for " + key);
    const named = values.length === 1 && typeof values[0] === "object" ? values[0] : values;
    return said[q.language].replace(/\{(\w+)\}/g, (all, name) =>
      named[name] === undefined ? all : String(named[name]),
    );
  };
  q.knows = (key) => key in q.words;

  const tags = { en: "en-GB", zh: "zh-Hans-CN" };
  q.tag = () => tags[q.language];
  q.number = (value, digits) =>
    value.toLocaleString(q.tag(), { maximumFractionDigits: digits ?? 0, minimumFractionDigits: digits ?? 0 });
  q.score = (value) => (value === null || value === undefined ? "–" : q.number(value, 3));
  q.percent = (value) => q.number(100 * value, 1);
  q.value = (value) => value.toLocaleString(q.tag(), { maximumFractionDigits: 4 });

  /** Seconds as a day and a time of day; an empty text for what no calendar has. */
  function written(seconds) {
    const date = new Date(seconds * 1000);
    if (Number.isNaN(date.getTime())) return "";
    const [day, clock] = date.toISOString().split("T");
    return clock.startsWith("00:00:00") ? day : day + " " + clock.slice(0, 5);
  }

  /** A time as its row has it, without a time zone; with the date of the address where that contradicts it. */
  q.moment = function (doc) {
    const told = doc.seconds === null ? "" : written(doc.seconds);
    if (!told) return doc.when || "";
    return doc.address === null ? told : q.t("line.address", told, written(doc.address));
  };

  q.span = function (seconds) {
    const days = Math.floor(seconds / 86400),
      hours = Math.floor((seconds % 86400) / 3600),
      minutes = Math.floor((seconds % 3600) / 60);
    if (days) return q.t("span.days", q.number(days), hours);
    if (hours) return q.t("span.hours", hours, minutes);
    return minutes ? q.t("span.minutes", minutes) : q.t("span.seconds", Math.floor(seconds));
  };

  q.rule = (rule) => (q.knows("rule." + rule) ? q.t("rule." + rule) : q.plain(rule));

  /** A setting of the run by its name, and a value of one: in words where the page has some. */
  q.setting = (name) => (q.knows("setting." + name) ? q.t("setting." + name) : q.plain(name));
  q.settingValue = function (value) {
    if (value === true || value === false) return q.t(value ? "yes" : "no");
    return typeof value === "number" ? q.value(value) : q.knows("setting." + value) ? q.t("setting." + value) : q.plain(String(value));
  };
  /** The criteria of --keep in their order; those with a column as they were given. */
  q.keptBy = (keep) => keep.split(",").map((one) => q.settingValue(one.trim())).join(q.t("list"));

  /** In which direction differences are told: of a removal from the removed document to the kept one, as everywhere. */
  q.direction = (pair) => q.t(pair.direction || (pair.removed ? "direction.removed" : "direction.listed"));

  /** How a removed document differs from the kept one, or the first of a pair from the second, in words: facts in conflict first. */
  q.changes = function (pair, most) {
    const told = pair.differences.filter(
      (d) => q.model.kinds[d[0]] !== "noise" && q.model.kinds[d[0]] !== "boilerplate",
    );
    const some = told.length ? told : pair.differences;
    const side = (text) =>
      text ? q.shown(text.length > 40 ? text.slice(0, 40) + "…" : text) : q.el("i", {}, q.t("pair.nothing"));
    const out = some.slice(0, most).map((d) => {
      return q.el(
        "span",
        { class: "change " + q.group(d[0]) + (d[1] ? " conflict" : "") },
        q.el("b", {}, q.kind(d[0])),
        " ",
        side(d[6]),
        " → ",
        side(d[7]),
      );
    });
    const rest = some.length - out.length + pair.differences_out;
    out.unshift(q.el("span", { class: "soft small direction" }, q.direction(pair)), " ");
    if (rest > 0) out.push(q.el("span", { class: "change" }, q.t("more", q.number(rest))));
    return out;
  };

  const groups = {
    figure: "figure",
    code: "figure",
    symbol: "figure",
    date: "date",
    person: "name",
    place: "name",
    organisation: "name",
    field: "name",
    term: "wording",
    negation: "negation",
    opposite: "negation",
    modality: "negation",
    "title words": "wording",
    wording: "wording",
    noise: "noise",
    boilerplate: "noise",
  };
  q.GROUPS = ["figure", "date", "name", "negation", "wording", "noise"];
  q.group = (kind) => "k-" + (groups[q.model.kinds[kind]] || "wording");
  q.kind = (kind) => (kind < 0 ? "" : q.t("kind." + q.model.kinds[kind]));
})(window.quchong);
