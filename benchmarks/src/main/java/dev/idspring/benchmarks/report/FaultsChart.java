package dev.idspring.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import dev.idspring.benchmarks.faults.Fault;
import dev.idspring.benchmarks.faults.FaultResults.Cell;
import dev.idspring.benchmarks.faults.FaultResults.Measured;
import dev.idspring.benchmarks.faults.Peer;
import dev.idspring.benchmarks.faults.MissingGuarantees;

/**
 * Draws a chart with one row per peer (compared generator) and one column per fault. A
 * cell shows the number of ids that were issued twice, and the longest time without an
 * id.
 */
record FaultsChart(List<Cell> cells) {

	private static final int LEFT = 400;

	private static final int TOP = 170;

	private static final int WIDTH = 74;

	private static final int HEIGHT = 34;

	String svg() {
		List<Fault> faults = Stream.of(Fault.values())
			.filter((fault) -> this.cells.stream().anyMatch((cell) -> cell.fault() == fault))
			.toList();
		int width = LEFT + faults.size() * WIDTH + 120;
		int height = TOP + Peer.values().length * HEIGHT + 40;
		StringBuilder svg = new StringBuilder("""
				<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" \
				font-family="sans-serif" font-size="13">
				<title>Generators and faults: how many ids were issued twice, and the longest time without an id</title>
				<rect width="%1$d" height="%2$d" fill="#ffffff"/>
				""".formatted(width, height));
		for (int column = 0; column < faults.size(); column++) {
			int x = LEFT + column * WIDTH + WIDTH / 2;
			svg.append("<text transform=\"translate(%d %d) rotate(-40)\">%s</text>%n".formatted(x, TOP - 10,
					faults.get(column).title()));
		}
		for (Peer peer : Peer.values()) {
			int y = TOP + peer.ordinal() * HEIGHT;
			svg.append("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n".formatted(LEFT - 8, y + 21,
					peer.title().replace("`", "") + switch (peer.store()) {
						case NONE -> "";
						default -> ", " + peer.store().title();
					}));
			for (int column = 0; column < faults.size(); column++) {
				Fault fault = faults.get(column);
				int x = LEFT + column * WIDTH;
				this.cells.stream()
					.filter((cell) -> cell.peer() == peer && cell.fault() == fault)
					.findFirst()
					.ifPresent((cell) -> svg.append(draw(cell, x, y)));
			}
		}
		svg.append("""
				<text x="%d" y="%d" fill="#555555">Red: ids were issued twice. Small number: the longest time without \
				an id. Grey: nothing was measured, or no id was issued. †: not promised.</text>
				</svg>
				""".formatted(8, height - 14));
		return svg.toString();
	}

	private static String draw(Cell cell, int x, int y) {
		Measured result = cell.measured();
		boolean none = result == null || result.drawn() == 0;
		boolean red = !none && result.twice() > 0;
		String text = none ? ((result == null) ? "–" : "no ids") : String.format(Locale.ROOT, "%,d", result.twice());
		String dagger = (result != null && MissingGuarantees.reason(cell.peer(), cell.fault()) != null) ? " †" : "";
		String color = red ? "#ffffff" : "#222222";
		return """
				<rect x="%d" y="%d" width="%d" height="%d" rx="3" fill="%s"/>
				<text x="%d" y="%d" text-anchor="middle" fill="%s">%s</text>
				<text x="%d" y="%d" text-anchor="middle" font-size="10" fill="%s">%s</text>
				""".formatted(x + 1, y + 1, WIDTH - 2, HEIGHT - 2, red ? "#b3261e" : none ? "#eeeeee" : "#dcebdf",
				x + WIDTH / 2, y + 16, color, text + dagger, x + WIDTH / 2, y + 28, color,
				none ? "" : FaultsReport.seconds(result));
	}

}
