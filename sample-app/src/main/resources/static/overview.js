"use strict";

/* The page shows the data of /actuator/ids. The application sends this data every second, as events of api/live. */

const ENDPOINT = "actuator/ids";

/** The maximum number of ids per request. */
const MAX_IDS_PER_REQUEST = 5000;

/** The page divides a draw into about this many requests to show the progress, or into more if a request would be too large. */
const MIN_REQUESTS = 20;

/** The captions of the charts, by strategy. They must be true for one id, for 100,000 ids and for many callers. */
const CAPTIONS = {
	"coprime": "Consecutive keys are far apart and spread over the whole key space. There is no secret, so the order can be computed.",
	"sequential": "Keys increase within each block.",
	"gapless": "Numbers increase without gaps. After a rollback, the same numbers are issued again.",
	"recycled": "Each series is a line of increasing numbers, and has one writer at a time.",
	"snowflake": "A staircase: ids of the same millisecond form a step and differ by a counter. The chart covers the last ten milliseconds with ids.",
	"decimal-uid": "Ids of the same millisecond form a step and differ by random digits. The chart covers the last ten milliseconds with ids.",
	"composite": "Ids of the same millisecond form a step and differ by a counter. The chart covers the last ten milliseconds with ids."
};

/** The caption if a secret permutes the text forms. */
const PERMUTED_CAPTION = "Keys increase within each block. The text form looks random and cannot be predicted without the secret.";

const NOT_ENOUGH_DATA = "not enough data yet";

/** The delay before reconnecting if the browser does not reconnect by itself. */
const RECONNECT_MILLIS = 3000;

/** The latest date that is shown as a date. */
const LAST_DATE = Date.UTC(9999, 11, 31);

const cards = new Map();

/** The current problems, by the action that failed. An action that succeeds removes only its own problem. */
const problems = new Map();

let events = null;
let reconnectTimer = 0;
let missedUpdates = false;

const numbers = new Intl.NumberFormat("en");
const rates = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const dates = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

/** Formats a count of any size. Counts that JavaScript cannot represent exactly are rounded visibly. */
function count(number) {
	if (number === null || number === undefined) {
		return "–";
	}
	if (Math.abs(number) < 1e15) {
		return numbers.format(number);
	}
	const [mantissa, exponent] = number.toExponential(2).split("e+");
	return mantissa + " × 10" + superscript(exponent);
}

function superscript(number) {
	return String(number).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);
}

function usedPercent(keySpace) {
	const exact = keySpace.capacity > 0 ? keySpace.reserved / keySpace.capacity * 100 : 0;
	if (exact === 0) {
		return "0 %";
	}
	if (keySpace.remaining > 0 && 100 - exact < 1e-6) {
		return "more than 99.999999 %";
	}
	return exact < 1e-6 ? "less than 0.000001 %" : formatPercent(exact) + " %";
}

/** Formats a percentage with two significant digits and no exponent. Above 50, these are the digits of the distance to 100. */
function formatPercent(percent) {
	const significant = percent > 50 && percent < 100 ? 100 - percent : percent;
	const digits = Math.max(0, 1 - Math.floor(Math.log10(significant)));
	return percent.toFixed(Math.min(digits, 20)).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

function spaceWidth(keySpace) {
	return keySpace.capacity > 0 ? Math.min(100, keySpace.reserved / keySpace.capacity * 100) : 0;
}

function setBar(bar, width, text) {
	bar.firstElementChild.style.width = width + "%";
	// a value above 0 is always visible
	bar.firstElementChild.style.minWidth = width > 0 ? "1px" : "0";
	bar.setAttribute("aria-valuenow", Math.round(width));
	bar.setAttribute("aria-valuetext", text);
}

function setFacts(list, facts) {
	const rows = facts.filter((fact) => fact[1] !== undefined);
	while (list.children.length > 2 * rows.length) {
		list.lastElementChild.remove();
	}
	rows.forEach((fact, i) => {
		if (list.children.length <= 2 * i) {
			list.append(document.createElement("dt"), document.createElement("dd"));
		}
		setText(list.children[2 * i], fact[0]);
		setText(list.children[2 * i + 1], fact[1]);
	});
}

/** Sets the text of an element only if it has changed. Otherwise selections and screen readers would be disturbed. */
function setText(element, text) {
	if (element.textContent !== text) {
		element.textContent = text;
	}
}

function lastsUntil(space) {
	if (space.exhaustedAt) {
		return dates.format(new Date(space.exhaustedAt));
	}
	if (space.idsPerSecond === null) {
		return NOT_ENOUGH_DATA;
	}
	if (space.idsPerSecond === 0) {
		return "unlimited while no ids are drawn";
	}
	// the endpoint projects a date only after a sufficiently long period of observation
	return Date.now() + space.remaining / space.idsPerSecond * 1000 > LAST_DATE ? "after the year 9999"
		: "not soon; " + NOT_ENOUGH_DATA + " for a date";
}

function facts(generator) {
	const space = generator.keySpace;
	const block = generator.block;
	const containsTime = generator.node !== undefined;
	return [
		[containsTime ? "Time passed" : "Reserved", containsTime ? usedPercent(space) : count(space.reserved) + " of " + count(space.capacity)],
		["Left", count(space.remaining)],
		["Lasts until", lastsUntil(space)],
		["Long-term rate", space.idsPerSecond === null ? NOT_ENOUGH_DATA : rates.format(space.idsPerSecond) + " per second"],
		["Reservations", count(block.reservations) + (block.lastReservationMillis === null ? ""
			: ", the last one took " + rates.format(block.lastReservationMillis) + " ms")],
		["Waits", block.exhaustions === 0 ? "none" : count(block.exhaustions)],
		["Failures", block.failures > 0 ? count(block.failures) + (block.lastError ? ": " + block.lastError : "") : undefined],
		["Node", generator.node && (generator.node.number === null ? "none at the moment"
			: generator.node.number + " (" + generator.node.source + ")")],
		["Clock", generator.clock && (generator.clock.trusted ? "trusted, ids are " + generator.clock.aheadMillis + " ms ahead"
			: "not trusted")],
		["Series", generator.series && "this instance owns " + generator.series.filter((series) => series.own).length + " of "
			+ generator.series.length]
	];
}

function newCard(name) {
	const element = document.getElementById("card").content.firstElementChild.cloneNode(true);
	element.id = "generator-" + name;
	element.querySelector(".name").id = element.id + "-name";
	element.setAttribute("aria-labelledby", element.id + "-name");
	element.querySelector(".name").textContent = name;
	element.querySelector(".space").setAttribute("aria-label", "Key space of " + name + " used");
	element.querySelector(".fill").setAttribute("aria-label", "Ids of " + name + " in memory");
	element.querySelector("canvas").setAttribute("aria-label", "The latest ids of " + name + " in the order in which they were drawn");
	element.querySelector(".summary").id = element.id + "-summary";
	element.querySelector("canvas").setAttribute("aria-describedby", element.id + "-summary");
	element.querySelector(".draw").setAttribute("aria-label", "Draw ids of " + name);
	element.querySelector("progress").setAttribute("aria-label", "Drawing ids of " + name);
	const card = { name: name, element: element, chart: null, most: 0, drawn: -1, issued: -1, loading: false };
	element.querySelectorAll("button").forEach((button) => {
		const number = Number(button.dataset.count);
		button.setAttribute("aria-label", "Draw " + numbers.format(number) + (number === 1 ? " id of " : " ids of ") + name);
		button.addEventListener("click", () => draw(card, number));
	});
	document.getElementById("generator-documents").before(element);
	load(card);
	return card;
}

function load(card) {
	if (card.loading) {
		return;
	}
	card.loading = true;
	request(idsPath(card)).then((drawn) => showDrawn(card, drawn)).catch((problem) => {
		if (card.drawn < 0) {
			showProblem(idsPath(card), problem);
		}
	}).finally(() => card.loading = false);
}

function idsPath(card) {
	return "api/generators/" + encodeURIComponent(card.name) + "/ids";
}

function showAll(all) {
	setText(document.getElementById("store"), "Store: " + all.store.type
		+ (all.store.database ? " on " + all.store.database : "") + ", " + all.store.status
		+ all.store.warnings.map((warning) => ". " + warning).join(""));
	for (const [name, generator] of Object.entries(all.generators)) {
		if (!cards.has(name)) {
			cards.set(name, newCard(name));
		}
		showGenerator(cards.get(name), generator);
	}
	showDocuments(all.scoped.documents);
}

function showHeader(element, generator) {
	const part = (selector) => element.querySelector(selector);
	setText(part(".strategy"), generator.strategy);
	setText(part(".status"), generator.status);
	part(".status").dataset.status = generator.status;
	setText(part(".definition"), describeDefinition(generator.definition));
	part(".definition").title = generator.definition;
}

function showGenerator(card, generator) {
	const part = (selector) => card.element.querySelector(selector);
	card.strategy = generator.strategy;
	showHeader(card.element, generator);
	setText(part("figcaption"), / secrets=/.test(generator.definition) ? PERMUTED_CAPTION : CAPTIONS[generator.strategy] || "");
	const used = usedPercent(generator.keySpace);
	setText(part(".used"), used);
	setBar(part(".space"), spaceWidth(generator.keySpace), used);
	part(".gauge.block").hidden = generator.strategy === "gapless";
	const memory = inMemory(card, generator);
	setText(part(".ahead"), generator.node ? "Time reserved ahead" : "Ids in memory");
	setText(part(".left"), memory.text);
	setBar(part(".fill"), memory.width, memory.text);
	setFacts(part(".facts"), facts(generator));
}

/** Returns the ids that a generator can issue without its store or, if ids contain the time, for how many seconds it can issue ids. */
function inMemory(card, generator) {
	const end = generator.node && generator.node.windowEnd;
	const amount = !generator.node ? generator.block.remaining + generator.block.ahead
		: end ? Math.max(0, (Date.parse(end) - Date.now()) / 1000) : 0;
	card.most = Math.max(card.most, amount);
	return { width: card.most > 0 ? amount / card.most * 100 : 0,
		text: !generator.node ? count(amount) : end ? numbers.format(Math.round(amount)) + " s" : "not limited by a store" };
}

/** Shows the generator whose numbers are separate for each tenant. */
function showDocuments(generator) {
	const element = document.getElementById("generator-documents");
	element.hidden = false;
	showHeader(element, generator);
	setFacts(element.querySelector(".facts"), [
		["Tenants", count(generator.scopes)],
		["Period", generator.period],
		["Drawn", count(generator.draws) + " since the start"],
		["Failures", generator.failures > 0 ? count(generator.failures) + (generator.lastError ? ": " + generator.lastError : "") : undefined]
	]);
	if (element.dataset.draws !== String(generator.draws)) {
		element.dataset.draws = generator.draws;
		// the request for all generators shows the problems of the endpoint
		showTenants().catch(() => {});
	}
}

/** Shows the rates of the last minute and, if ids have been drawn, the latest ids. */
function showIssued(name, issued) {
	const element = document.getElementById("generator-" + name);
	const most = Math.max(...issued.perSecond);
	const text = numbers.format(issued.perSecond.at(-1)) + "/s, peak " + numbers.format(most) + "/s";
	setText(element.querySelector(".rate .value"), text);
	element.querySelector("svg").setAttribute("aria-label", "Rate of " + name + " in the last minute: " + text);
	element.querySelector("polyline").setAttribute("points",
		issued.perSecond.map((rate, i) => i + "," + (19.5 - 19 * rate / Math.max(1, most))).join(" "));
	const card = cards.get(name);
	if (card && card.issued !== issued.total && !document.hidden) {
		card.issued = issued.total;
		load(card);
	}
}

/** Describes the definition of a key space in words. */
function describeDefinition(definition) {
	const [keys, text] = definition.split(" text ");
	const value = (part, name) => (part.match(new RegExp("(?:^| )" + name + "=(\\S+)")) || [])[1];
	const from = (part) => (value(part, "epoch") || "").replace("T00:00:00Z", "");
	const digits = (part) => value(part, "length") + " characters from an alphabet of " + value(part, "alphabet").length;
	const words = {
		"coprime": () => digits(keys) + ", in an order that looks random",
		"park-miller": () => "Numbers below 2³¹ in the order of the Park–Miller generator",
		"sequential": () => "Numbers from " + value(keys, "start") + ", in blocks for each instance",
		"gapless": () => "Numbers from " + value(keys, "start") + " without gaps" + (/ scoped /.test(keys + " ")
			? ", separate for each tenant and " + value(keys, "period") : ""),
		"recycled": () => "Series of " + numbers.format(value(keys, "series-size")) + " numbers, with one writer each",
		"snowflake": () => value(keys, "time-bits") + " bits for milliseconds since " + from(keys) + ", " + value(keys, "node-bits")
			+ " for the node, " + value(keys, "tail-bits") + " for a counter",
		"decimal-uid": () => "Milliseconds since " + from(keys) + ", " + value(keys, "random-digits") + " random digits, "
			+ value(keys, "node-digits") + " for the node",
		"composite": () => "Node, date, time and a counter in decimal digits"
	}[keys.split(" ")[0]];
	const forms = text === undefined ? [] : [
		value(text, "alphabet") && "written with " + digits(text),
		/(^| )check( |$)/.test(text) && "a check character",
		value(text, "prefix") && "the prefix " + value(text, "prefix"),
		value(text, "secrets") && "permuted by a secret",
		value(text, "pattern") && "written as " + value(text, "pattern")];
	return words === undefined ? definition : [words(), ...forms.filter(Boolean)].join("; ");
}

/**
 * Runs an action when a form is submitted. The action returns a function that shows the result. The result disappears if the next
 * action fails or if the input is invalid.
 */
function onSubmit(id, actionName, action, clear) {
	const form = document.getElementById(id);
	let latest = 0;
	form.addEventListener("invalid", () => {
		latest++;
		clear();
		showProblem(actionName, null);
	}, true);
	form.addEventListener("submit", async (event) => {
		event.preventDefault();
		const submitted = ++latest;
		let problem = null;
		const show = await action().catch((failure) => {
			problem = failure;
			return clear;
		});
		// discard the result if the user has submitted something else in the meantime
		if (submitted === latest) {
			show();
			showProblem(actionName, problem);
		}
	});
}

/** Shortens a link and shows the short link, its QR code and its id. */
async function shorten() {
	const link = await request("links", "POST", { url: document.getElementById("url").value.trim() });
	const row = (await request(ENDPOINT + "/links/" + link.id)).id;
	return () => {
		const short = document.getElementById("short");
		short.href = new URL(link.key, document.baseURI).href;
		setText(short, short.href.replace(/^https?:\/\//, ""));
		setText(document.getElementById("target"), link.url);
		setText(document.getElementById("public-id"), link.id);
		setText(document.getElementById("row-id"), row);
		setText(document.getElementById("clicks"), "not followed yet");
		const code = document.getElementById("qr");
		code.src = "links/" + link.key + "/qr.svg";
		code.alt = "QR code of " + short.href;
		document.getElementById("link").dataset.key = link.key;
		document.getElementById("link").hidden = false;
	};
}

function clearLink() {
	document.getElementById("link").hidden = true;
	delete document.getElementById("link").dataset.key;
}

/** Places an order for a tenant and shows the number of its invoice. The next event updates the list of tenants. */
async function placeOrder() {
	const tenant = document.getElementById("tenant").value.trim();
	const placed = await request("orders", "POST", { customer: "a visitor of this page", cents: 1, tenant });
	return () => setText(document.getElementById("document"), "The invoice is " + placed.document + ".");
}

/** Shows the tenants with the highest numbers. */
async function showTenants() {
	const scopes = (await request(ENDPOINT + "/documents")).busiest || [];
	document.getElementById("tenants-caption").hidden = scopes.length === 0;
	const most = Math.max(...scopes.map((scope) => scope.next - 1));
	document.getElementById("tenants").replaceChildren(...scopes.map((scope) => {
		const gauge = document.querySelector("#card").content.querySelector(".gauge").cloneNode(true);
		gauge.querySelector(".label").textContent = scope.name;
		gauge.querySelector(".value").textContent = "next is " + count(Number(scope.next));
		gauge.querySelector(".bar").setAttribute("aria-label", "Numbers of " + scope.name);
		setBar(gauge.querySelector(".bar"), (scope.next - 1) / most * 100, count(scope.next - 1));
		return gauge;
	}));
}

async function showClicks() {
	const key = document.getElementById("link").dataset.key;
	if (key !== undefined && !document.hidden) {
		const clicks = (await request("links/" + key)).clicks;
		setText(document.getElementById("clicks"), clicks === 0 ? "not followed yet"
			: "followed " + numbers.format(clicks) + (clicks === 1 ? " time" : " times"));
	}
}

function colours() {
	const style = getComputedStyle(document.documentElement);
	return { ink: style.getPropertyValue("--quiet").trim(), line: style.getPropertyValue("--line").trim(),
		accent: style.getPropertyValue("--accent").trim() };
}

function createChart(card) {
	const colour = colours();
	return new Chart(card.element.querySelector("canvas"), {
		type: "scatter",
		data: { datasets: [{ data: [], clip: 4, pointHoverRadius: 4, backgroundColor: colour.accent, borderWidth: 0 }] },
		options: {
			animation: false,
			maintainAspectRatio: false,
			plugins: {
				legend: { display: false },
				tooltip: { callbacks: { label: (item) => "no. " + numbers.format(item.raw.x) + ": " + item.raw.id } }
			},
			scales: {
				x: { title: { display: true, text: "order", color: colour.ink }, ticks: { color: colour.ink, maxTicksLimit: 5, precision: 0 },
					grid: { color: colour.line } },
				// the lowest and the highest id are too long for an axis, so they are shown below and above the chart
				y: { min: 0, max: 1, title: { display: true, text: "id", color: colour.ink }, ticks: { display: false, stepSize: 0.5 },
					grid: { color: colour.line } }
			}
		}
	});
}

/** Shows the latest ids. */
function showDrawn(card, drawn) {
	showProblem(idsPath(card), null);
	if (drawn.drawn < card.drawn) {
		// a later response has already been shown
		return;
	}
	card.drawn = drawn.drawn;
	setText(card.element.querySelector(".lowest"), drawn.lowest || "–");
	setText(card.element.querySelector(".highest"), drawn.highest || "–");
	card.element.querySelector("figure").classList.toggle("nothing", drawn.ids.length === 0);
	card.chart = card.chart || createChart(card);
	const ids = drawn.ids;
	const first = drawn.drawn - Math.max(0, ids.length - 1) * drawn.step;
	card.chart.data.datasets[0].data = ids.map((id, i) => ({ x: first + i * drawn.step, y: drawn.heights[i], id }));
	card.chart.data.datasets[0].pointRadius = ids.length > 100 ? 1.5 : 3;
	card.chart.options.scales.x.min = first;
	card.chart.options.scales.x.max = Math.max(first + 1, drawn.drawn);
	card.chart.update();
	card.element.querySelector("canvas").dataset.points = ids.length;
	setText(card.element.querySelector(".summary"), drawn.last === null ? "No ids yet."
		: numbers.format(drawn.drawn) + (drawn.drawn === 1 ? " id" : " ids") + " drawn. The chart shows the ids "
			+ numbers.format(first) + " to " + numbers.format(drawn.drawn) + ", between " + drawn.lowest + " and " + drawn.highest + ".");
}

async function draw(card, total) {
	const progress = card.element.querySelector("progress");
	const output = card.element.querySelector("output");
	const buttons = card.element.querySelectorAll("button");
	const slice = Math.min(MAX_IDS_PER_REQUEST, Math.max(1, Math.ceil(total / MIN_REQUESTS)));
	const pressed = document.activeElement;
	buttons.forEach((button) => button.disabled = true);
	progress.hidden = total === 1;
	progress.value = 0;
	let done = 0;
	let requests = 0;
	let last = "";
	try {
		while (done < total) {
			const number = Math.min(slice, total - done);
			const drawn = await request(idsPath(card) + "?count=" + number, "POST");
			done += number;
			requests++;
			progress.value = done / total;
			showDrawn(card, drawn);
			last = drawn.last;
		}
		output.textContent = drawnText(card, done, requests) + last;
	}
	catch (problem) {
		output.textContent = numbers.format(done) + " ids drawn, then a failure: " + problem.message;
	}
	finally {
		progress.hidden = true;
		buttons.forEach((button) => button.disabled = false);
		// the button lost the focus when it was disabled: restore the focus unless the user has moved it
		if (document.activeElement === document.body) {
			pressed.focus({ preventScroll: true });
		}
	}
}

/** Returns the text that precedes the last id. */
function drawnText(card, done, requests) {
	const ids = numbers.format(done) + (done === 1 ? " id" : " ids") + " drawn";
	if (card.strategy !== "gapless") {
		return ids + (done === 1 ? ": " : ", the last one: ");
	}
	return requests === 1 ? ids + " and rolled back, so the next caller gets it: "
		: ids + " in " + requests + " transactions. Each was rolled back, so all got the same numbers, the last one: ";
}

async function request(path, method, body) {
	const response = await fetch(path, { method: method || "GET", body: body && JSON.stringify(body),
		headers: { "Accept": "application/json", ...(body && { "Content-Type": "application/json" }) } });
	if (!response.ok) {
		const problem = await response.json().catch(() => ({}));
		throw new Error(problem.detail || path + " failed with status " + response.status);
	}
	return response.json();
}

function showProblem(actionName, problem) {
	if (problem) {
		problems.set(actionName, problem.message);
	}
	else {
		problems.delete(actionName);
	}
	const element = document.getElementById("problem");
	element.hidden = problems.size === 0;
	setText(element, [...new Set(problems.values())].join("\n"));
}

/** The words for the confidence that a generator issued an id. */
const CONFIDENCES = { "CERTAIN": "certain", "LIKELY": "likely", "POSSIBLE": "possible", "UNLIKELY": "unlikely" };

/** Shows which generators could have issued an id. Most text forms match one generator; numbers often match several. */
async function findCandidates() {
	const found = (await request(ENDPOINT + "?id=" + encodeURIComponent(document.getElementById("id").value.trim()))).candidates;
	return () => {
		clearReadings();
		const list = document.getElementById("readings");
		found.forEach((candidate) => addReading(list, candidate.generator + ", " + CONFIDENCES[candidate.confidence],
			describeId(candidate.id)));
		if (found.length === 0) {
			addReading(list, "No generator", "can have issued this id.");
		}
	};
}

function clearReadings() {
	document.getElementById("readings").replaceChildren();
}

function addReading(list, term, text) {
	const title = document.createElement("dt");
	title.textContent = term;
	const description = document.createElement("dd");
	description.textContent = text;
	list.append(title, description);
}

function describeId(id) {
	const parts = ["text " + id.text, "number " + id.id];
	if (id.ordinal !== undefined) {
		parts.push("ordinal " + numbers.format(id.ordinal) + " of the key space");
	}
	if (id.reserved !== undefined) {
		parts.push(id.reserved ? "already reserved" : "not reserved yet");
	}
	if (id.time !== undefined) {
		parts.push("time " + id.time);
	}
	if (id.node !== undefined) {
		parts.push("node " + id.node);
	}
	if (id.tail !== undefined) {
		parts.push("tail " + id.tail);
	}
	return parts.join(", ") + ".";
}

function connect() {
	disconnect();
	const source = new EventSource("api/live");
	events = source;
	source.addEventListener("open", () => {
		if (missedUpdates) {
			missedUpdates = false;
			// if the application was restarted, it counts from zero again
			for (const card of cards.values()) {
				card.drawn = -1;
				load(card);
			}
		}
	});
	source.addEventListener("message", (event) => {
		showProblem("connection", null);
		showProblem(ENDPOINT, null);
		const update = JSON.parse(event.data);
		showAll(update.ids);
		Object.entries(update.issued).forEach(([name, issued]) => showIssued(name, issued));
		showClicks().catch(() => { /* the next event tries again */ });
		document.body.dataset.live = Number(document.body.dataset.live || 0) + 1;
	});
	source.addEventListener("error", () => {
		missedUpdates = true;
		showProblem("connection", new Error("The application does not respond. Trying again …"));
		// browsers do not reconnect after a response that is not a stream of events
		if (source.readyState === EventSource.CLOSED) {
			clearTimeout(reconnectTimer);
			reconnectTimer = setTimeout(connect, RECONNECT_MILLIS);
		}
	});
}

function disconnect() {
	clearTimeout(reconnectTimer);
	if (events) {
		events.close();
		events = null;
	}
}

window.addEventListener("pagehide", disconnect);
window.addEventListener("pageshow", (event) => {
	// the browser has restored the page, but disconnect() has closed its connection
	if (event.persisted) {
		missedUpdates = true;
		connect();
	}
});
onSubmit("reader", "reading", findCandidates, clearReadings);
onSubmit("shortener", "links", shorten, clearLink);
onSubmit("orderer", "orders", placeOrder, () => setText(document.getElementById("document"), ""));
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
	for (const card of cards.values()) {
		if (card.chart) {
			const data = card.chart.data.datasets[0].data;
			const options = card.chart.options.scales.x;
			card.chart.destroy();
			card.chart = createChart(card);
			card.chart.data.datasets[0].data = data;
			card.chart.options.scales.x.min = options.min;
			card.chart.options.scales.x.max = options.max;
			card.chart.update();
		}
	}
});
request(ENDPOINT).then(showAll).catch((problem) => showProblem(ENDPOINT, problem)).finally(connect);
