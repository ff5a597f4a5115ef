"use strict";

/* What the page shows comes from /actuator/ids; each second it is sent anew, as events of api/live. */

const ENDPOINT = "actuator/ids";

/** So many ids are drawn by one request: few enough for progress to be seen. */
const MOST_AT_ONCE = 5000;
const FEWEST_SLICES = 20;

/** What the pictures of the last ids show, by strategy. */
const CAPTIONS = {
	"coprime": "Each key is far from the one before: spread evenly over the whole key space. No secret is needed, but the order can be computed.",
	"sequential": "One after the other.",
	"gapless": "One after the other, and what a transaction rolls back comes again.",
	"recycled": "Parallel lanes: a series for each writer, each one dense.",
	"snowflake": "A staircase: time goes up, and ids of one millisecond lie side by side.",
	"decimal-uid": "Time goes up in decimal digits; within a millisecond ids are scattered.",
	"composite": "Time goes up in readable digits; ids of one instant are counted."
};

/** Where a secret permutes the texts. */
const PERMUTED = "One after the other in the table, on one page of the index. Outside, texts look random, and without the secret the next one cannot be guessed.";

const NOT_YET = "not enough data yet";

/** When the browser has given up listening, we try again after so long, which is what browsers do themselves otherwise. */
const LISTEN_AGAIN_MILLIS = 3000;

/** Whatever ends later than this is not told. */
const LAST_DATE = Date.UTC(9999, 11, 31);

const cards = new Map();

/** What does not work at the moment, by what was tried: what works ends its own problem, and no other. */
const problems = new Map();

let events = null;
let listenAgain = 0;
let missed = false;
let readings = 0;

const numbers = new Intl.NumberFormat("en");
const rates = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const dates = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

/** A count of any size: what JavaScript cannot hold exactly is rounded visibly. */
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

function percent(keySpace) {
	const exact = keySpace.capacity > 0 ? keySpace.reserved / keySpace.capacity * 100 : 0;
	if (exact === 0) {
		return "0 %";
	}
	if (keySpace.remaining > 0 && 100 - exact < 1e-6) {
		return "more than 99.999999 %";
	}
	return exact < 1e-6 ? "less than 0.000001 %" : plain(exact) + " %";
}

/** Two digits that count, and no exponent; near to 100 two of what is left, as it is not 100 before nothing is. */
function plain(percent) {
	const counts = percent > 50 && percent < 100 ? 100 - percent : percent;
	const digits = Math.max(0, 1 - Math.floor(Math.log10(counts)));
	return percent.toFixed(Math.min(digits, 20)).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

function spaceWidth(keySpace) {
	return keySpace.capacity > 0 ? Math.min(100, keySpace.reserved / keySpace.capacity * 100) : 0;
}

function setBar(bar, width, text) {
	bar.firstElementChild.style.width = width + "%";
	// what is not nothing can be seen
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

/** Leaves alone what has not changed, so that selections and screen readers are not disturbed. */
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
		return NOT_YET;
	}
	if (space.idsPerSecond === 0) {
		return "no end, as nothing is drawn";
	}
	// until then the endpoint looks ahead a quarter as far as back
	return Date.now() + space.remaining / space.idsPerSecond * 1000 > LAST_DATE ? "after the year 9999"
		: "not soon, but there is not enough data yet for a date";
}

function facts(generator) {
	const space = generator.keySpace;
	const block = generator.block;
	const ofTime = generator.node !== undefined;
	return [
		[ofTime ? "Time passed" : "Reserved", ofTime ? percent(space) : count(space.reserved) + " of " + count(space.capacity)],
		["Left", count(space.remaining)],
		["Lasts until", lastsUntil(space)],
		["Rate", space.idsPerSecond === null ? NOT_YET : rates.format(space.idsPerSecond) + " a second"],
		["Reservations", count(block.reservations) + (block.lastReservationMillis === null ? ""
			: ", the last one in " + rates.format(block.lastReservationMillis) + " ms")],
		["Waits", count(block.exhaustions) + (block.exhaustions === 0 ? ": ids were always there" : "")],
		["Failures", block.failures > 0 ? count(block.failures) + (block.lastError ? ": " + block.lastError : "") : undefined],
		["Node", generator.node && (generator.node.number === null ? "none at the moment"
			: generator.node.number + ", by " + generator.node.source)],
		["Clock", generator.clock && (generator.clock.trusted ? "trusted, " + generator.clock.aheadMillis + " ms borrowed ahead"
			: "not trusted")],
		["Series", generator.series && generator.series.filter((series) => series.own).length + " of "
			+ generator.series.length + " begun ones are this instance's"]
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
	element.querySelector("canvas").setAttribute("aria-label", "The last ids of " + name + " in the order in which they were drawn");
	element.querySelector(".said").id = element.id + "-said";
	element.querySelector("canvas").setAttribute("aria-describedby", element.id + "-said");
	element.querySelector(".draw").setAttribute("aria-label", "Draw ids of " + name);
	element.querySelector("progress").setAttribute("aria-label", "Drawing ids of " + name);
	const card = { name: name, element: element, chart: null, most: 0, drawn: -1 };
	element.querySelectorAll("button").forEach((button) => {
		const number = Number(button.dataset.count);
		button.setAttribute("aria-label", "Draw " + numbers.format(number) + (number === 1 ? " id of " : " ids of ") + name);
		button.addEventListener("click", () => draw(card, number));
	});
	document.getElementById("generators").append(element);
	load(card);
	return card;
}

function load(card) {
	request(path(card)).then((drawn) => showDrawn(card, drawn)).catch((problem) => {
		if (card.drawn < 0) {
			showProblem(path(card), problem);
		}
	});
}

function path(card) {
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
}

function showGenerator(card, generator) {
	const part = (selector) => card.element.querySelector(selector);
	card.strategy = generator.strategy;
	setText(part(".strategy"), generator.strategy);
	setText(part(".status"), generator.status);
	part(".status").dataset.status = generator.status;
	setText(part(".definition"), inWords(generator.definition));
	part(".definition").title = generator.definition;
	setText(part("figcaption"), / secrets=/.test(generator.definition) ? PERMUTED : CAPTIONS[generator.strategy] || "");
	const used = percent(generator.keySpace);
	setText(part(".used"), used);
	setBar(part(".space"), spaceWidth(generator.keySpace), used);
	part(".gauge.block").hidden = generator.strategy === "gapless";
	const memory = inMemory(card, generator);
	setText(part(".ahead"), generator.node ? "Time reserved ahead" : "Ids in memory");
	setText(part(".left"), memory.text);
	setBar(part(".fill"), memory.width, memory.text);
	setFacts(part(".facts"), facts(generator));
}

/** How much a generator can do without its store: ids of a block or, where ids are made of the time, seconds. */
function inMemory(card, generator) {
	const block = generator.block;
	if (!generator.node) {
		const size = Math.max(block.size, block.remaining);
		return { width: size > 0 ? block.remaining / size * 100 : 0,
			text: count(block.remaining) + " left" + (block.ahead > 0 ? " and " + count(block.ahead) + " ahead" : "") };
	}
	const end = generator.node.windowEnd;
	const ahead = end ? Math.max(0, (Date.parse(end) - Date.now()) / 1000) : 0;
	card.most = Math.max(card.most, ahead);
	return { width: card.most > 0 ? ahead / card.most * 100 : 0,
		text: end ? numbers.format(Math.round(ahead)) + " s" : "not limited by a store" };
}

/** What fixes the ids of a key space, for people. */
function inWords(definition) {
	const [keys, text] = definition.split(" text ");
	const value = (part, name) => (part.match(new RegExp("(?:^| )" + name + "=(\\S+)")) || [])[1];
	const from = (part) => (value(part, "epoch") || "").replace("T00:00:00Z", "");
	const digits = (part) => value(part, "length") + " characters, " + value(part, "alphabet").length + " to choose from";
	const words = {
		"coprime": () => digits(keys) + ", in an order that looks random",
		"park-miller": () => "Numbers below 2³¹ in the order of Park and Miller",
		"sequential": () => "Numbers from " + value(keys, "start") + " on, a block for each instance",
		"gapless": () => "Numbers from " + value(keys, "start") + " on, without a gap",
		"recycled": () => "Series of " + numbers.format(value(keys, "series-size")) + " numbers, each with one writer at a time",
		"snowflake": () => value(keys, "time-bits") + " bits of milliseconds since " + from(keys) + ", " + value(keys, "node-bits")
			+ " of node, " + value(keys, "tail-bits") + " of tail",
		"decimal-uid": () => "Milliseconds since " + from(keys) + ", " + value(keys, "random-digits") + " random digits, "
			+ value(keys, "node-digits") + " of node",
		"composite": () => "Date and time in decimal digits, with node and sequence"
	}[keys.split(" ")[0]];
	const forms = text === undefined ? [] : [
		value(text, "alphabet") && "written with " + digits(text),
		/(^| )check( |$)/.test(text) && "a check character",
		value(text, "prefix") && "the prefix " + value(text, "prefix"),
		value(text, "secrets") && "permuted by a secret"];
	return words === undefined ? definition : [words(), ...forms.filter(Boolean)].join("; ");
}

/** Shows a link that was shortened, and how often it was followed. */
async function shorten(event) {
	event.preventDefault();
	try {
		const link = await request("links", "POST", { url: document.getElementById("url").value.trim() });
		showProblem("links", null);
		const short = document.getElementById("short");
		short.href = new URL(link.key, document.baseURI).href;
		setText(short, short.href.replace(/^https?:\/\//, ""));
		setText(document.getElementById("target"), link.url);
		setText(document.getElementById("public-id"), link.id);
		setText(document.getElementById("row-id"), (await request(ENDPOINT + "/links/" + link.id)).id);
		const code = document.getElementById("qr");
		code.src = "links/" + link.key + "/qr.svg";
		code.alt = "QR code of " + short.href;
		document.getElementById("link").dataset.key = link.key;
		document.getElementById("link").hidden = false;
		await showClicks();
	}
	catch (problem) {
		showProblem("links", problem);
	}
}

/** Places an order of a tenant, and shows which number its invoice got. */
async function order(event) {
	event.preventDefault();
	try {
		const tenant = document.getElementById("tenant").value.trim();
		const placed = await request("orders", "POST", { customer: "a visitor of this page", cents: 1, tenant });
		showProblem("orders", null);
		setText(document.getElementById("document"), placed.document);
		await showTenants();
	}
	catch (problem) {
		showProblem("orders", problem);
	}
}

/** Shows the tenants with the highest numbers. */
async function showTenants() {
	const scopes = (await request(ENDPOINT + "/documents")).busiest || [];
	document.getElementById("tenants").replaceChildren(...scopes.flatMap((scope) => {
		const name = document.createElement("dt");
		name.textContent = scope.name;
		const next = document.createElement("dd");
		next.textContent = "next is " + scope.next;
		return [name, next];
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

function chart(card) {
	const colour = colours();
	return new Chart(card.element.querySelector("canvas"), {
		type: "scatter",
		data: { datasets: [{ data: [], pointRadius: 1.5, pointHoverRadius: 4, backgroundColor: colour.accent, borderWidth: 0 }] },
		options: {
			animation: false,
			maintainAspectRatio: false,
			plugins: {
				legend: { display: false },
				tooltip: { callbacks: { label: (item) => "no. " + item.raw.x + ": " + item.raw.id } }
			},
			scales: {
				x: { title: { display: true, text: "order", color: colour.ink }, ticks: { color: colour.ink, maxTicksLimit: 5, precision: 0 },
					grid: { color: colour.line } },
				// the lowest and the highest id are long, and so stand below and above
				y: { min: 0, max: 1, title: { display: true, text: "id", color: colour.ink }, ticks: { display: false, stepSize: 0.5 },
					grid: { color: colour.line } }
			}
		}
	});
}

/** Where each id lies between the lowest and the highest: differences are small enough for JavaScript where ids are not. */
function showDrawn(card, drawn) {
	showProblem(path(card), null);
	if (drawn.drawn < card.drawn) {
		// was overtaken by a later answer
		return;
	}
	card.drawn = drawn.drawn;
	setText(card.element.querySelector(".lowest"), drawn.lowest || "–");
	setText(card.element.querySelector(".highest"), drawn.highest || "–");
	card.element.querySelector("figure").classList.toggle("nothing", drawn.ids.length === 0);
	card.chart = card.chart || chart(card);
	const ids = drawn.ids.map(BigInt);
	let low = ids[0];
	let high = ids[0];
	ids.forEach((id) => {
		low = id < low ? id : low;
		high = id > high ? id : high;
	});
	const range = ids.length > 0 && high > low ? Number(high - low) : 1;
	const first = drawn.drawn - ids.length;
	card.chart.data.datasets[0].data = ids.map((id, i) => ({ x: first + i + 1, y: Number(id - low) / range, id: drawn.ids[i] }));
	card.chart.options.scales.x.min = first + 1;
	card.chart.options.scales.x.max = Math.max(first + 2, drawn.drawn);
	card.chart.update();
	card.element.querySelector("canvas").dataset.points = ids.length;
	setText(card.element.querySelector(".said"), drawn.last === null ? "None yet."
		: "The last of " + numbers.format(drawn.drawn) + (drawn.drawn === 1 ? " id is " : " ids is ") + drawn.last + "; the last "
			+ numbers.format(ids.length) + " lie between " + drawn.lowest + " and " + drawn.highest + ".");
}

async function draw(card, total) {
	const progress = card.element.querySelector("progress");
	const output = card.element.querySelector("output");
	const buttons = card.element.querySelectorAll("button");
	const slice = Math.min(MOST_AT_ONCE, Math.max(1, Math.ceil(total / FEWEST_SLICES)));
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
			const drawn = await request(path(card) + "?count=" + number, "POST");
			done += number;
			requests++;
			progress.value = done / total;
			showDrawn(card, drawn);
			last = drawn.last;
		}
		output.textContent = drawnText(card, done, requests) + last;
	}
	catch (problem) {
		output.textContent = numbers.format(done) + " ids drawn, then: " + problem.message;
	}
	finally {
		progress.hidden = true;
		buttons.forEach((button) => button.disabled = false);
		// a disabled button loses the focus; whoever has gone elsewhere meanwhile keeps it there
		if (document.activeElement === document.body) {
			pressed.focus({ preventScroll: true });
		}
	}
}

/** What is said before the last id. The numbers of a transaction that is rolled back are not used up: the next one draws them again. */
function drawnText(card, done, requests) {
	const ids = numbers.format(done) + (done === 1 ? " id" : " ids") + " drawn";
	if (card.strategy !== "gapless") {
		return ids + (done === 1 ? ": " : ", the last one: ");
	}
	return requests === 1 ? ids + " and rolled back, so the next to draw gets it again: "
		: ids + " in " + requests + " transactions, each rolled back, so each one draws the same again, the last one: ";
}

async function request(path, method, body) {
	const response = await fetch(path, { method: method || "GET", body: body && JSON.stringify(body),
		headers: { "Accept": "application/json", ...(body && { "Content-Type": "application/json" }) } });
	if (!response.ok) {
		const problem = await response.json().catch(() => ({}));
		throw new Error(problem.detail || path + " was answered with " + response.status);
	}
	return response.json();
}

function showProblem(tried, problem) {
	if (problem) {
		problems.set(tried, problem.message);
	}
	else {
		problems.delete(tried);
	}
	const element = document.getElementById("problem");
	element.hidden = problems.size === 0;
	setText(element, [...new Set(problems.values())].join("\n"));
}

/** How sure it is that a generator made an id. */
const CONFIDENCES = { "CERTAIN": "certainly", "LIKELY": "probably", "POSSIBLE": "perhaps", "UNLIKELY": "not yet" };

/** Asks which generators could have made an id: most texts are of one of them only, numbers of several. */
async function read(event) {
	event.preventDefault();
	const id = document.getElementById("id").value.trim();
	if (id === "") {
		return;
	}
	const reading = ++readings;
	let found;
	try {
		found = (await request(ENDPOINT + "?id=" + encodeURIComponent(id))).candidates;
	}
	catch (problem) {
		if (reading === readings) {
			showProblem("reading", problem);
		}
		return;
	}
	if (reading !== readings) {
		// something else has been asked meanwhile
		return;
	}
	showProblem("reading", null);
	const list = document.getElementById("readings");
	list.replaceChildren();
	found.forEach((candidate) => addReading(list, candidate.generator + ", " + CONFIDENCES[candidate.confidence],
		sentence(candidate.id)));
	if (found.length === 0) {
		addReading(list, "No generator", "can have made an id like this.");
	}
}

function addReading(list, term, text) {
	const title = document.createElement("dt");
	title.textContent = term;
	const description = document.createElement("dd");
	description.textContent = text;
	list.append(title, description);
}

function sentence(said) {
	const parts = ["text " + said.text, "number " + said.id];
	if (said.ordinal !== undefined) {
		parts.push("ordinal " + numbers.format(said.ordinal) + " of the key space");
	}
	if (said.reserved !== undefined) {
		parts.push(said.reserved ? "reserved already" : "not reserved yet");
	}
	if (said.time !== undefined) {
		parts.push("made for " + said.time);
	}
	if (said.node !== undefined) {
		parts.push("by node " + said.node);
	}
	if (said.tail !== undefined) {
		parts.push("tail " + said.tail);
	}
	return parts.join(", ") + ".";
}

function listen() {
	leave();
	const source = new EventSource("api/live");
	events = source;
	source.addEventListener("open", () => {
		if (missed) {
			missed = false;
			// others may have drawn, and an application that was started anew counts from zero
			for (const card of cards.values()) {
				card.drawn = -1;
				load(card);
			}
		}
	});
	source.addEventListener("message", (event) => {
		showProblem("connection", null);
		showProblem(ENDPOINT, null);
		showAll(JSON.parse(event.data));
		showClicks().catch(() => { /* the next event asks again */ });
		document.body.dataset.live = Number(document.body.dataset.live || 0) + 1;
	});
	source.addEventListener("error", () => {
		missed = true;
		showProblem("connection", new Error("The application does not answer. Trying again …"));
		// so it is for good after any answer that is no stream of events, a gateway's, say
		if (source.readyState === EventSource.CLOSED) {
			clearTimeout(listenAgain);
			listenAgain = setTimeout(listen, LISTEN_AGAIN_MILLIS);
		}
	});
}

function leave() {
	clearTimeout(listenAgain);
	if (events) {
		events.close();
		events = null;
	}
}

window.addEventListener("pagehide", leave);
window.addEventListener("pageshow", (event) => {
	// back again, with all that was shown, but for what leaving has closed
	if (event.persisted) {
		missed = true;
		listen();
	}
});
document.getElementById("reader").addEventListener("submit", read);
document.getElementById("shortener").addEventListener("submit", shorten);
document.getElementById("orderer").addEventListener("submit", order);
// a problem of the endpoint is shown by the request for all generators
showTenants().catch(() => {});
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
	for (const card of cards.values()) {
		if (card.chart) {
			const data = card.chart.data.datasets[0].data;
			const options = card.chart.options.scales.x;
			card.chart.destroy();
			card.chart = chart(card);
			card.chart.data.datasets[0].data = data;
			card.chart.options.scales.x.min = options.min;
			card.chart.options.scales.x.max = options.max;
			card.chart.update();
		}
	}
});
request(ENDPOINT).then(showAll).catch((problem) => showProblem(ENDPOINT, problem)).finally(listen);
