package dev.idspring.benchmarks.faults;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

import dev.idspring.benchmarks.Mode;
import dev.idspring.benchmarks.Results;
import dev.idspring.benchmarks.faults.FaultResults.Cell;
import org.jspecify.annotations.Nullable;

/**
 * Exposes each peer (a way to create ids, of this project or of another) to all faults
 * that can affect it.
 */
public final class FaultsPart {

	/** The name of the file with the results of this part. */
	public static final String NAME = "faults";

	private static final int SEEDS = 10_000;

	private final FaultResults faultResults;

	private final Results results;

	private FaultsPart(Results results, FaultResults faultResults) {
		this.results = results;
		this.faultResults = faultResults;
	}

	/**
	 * Run all faults (only two in a quick run), one fault, or one peer under one fault.
	 * If only a fault is named, the earlier results of the other faults remain.
	 * @param args the directory of the results, the mode, and the directory of the build;
	 * then {@code --fault=} to run one fault, or {@code --fault=}, {@code --peer=} and
	 * {@code --seed=} to run one peer under one fault
	 */
	public static void main(String[] args) {
		List<String> options = List.of(args).subList(3, args.length);
		Results results = new Results(Path.of(args[0]));
		FaultResults none = new FaultResults(new ArrayList<>(), new EnumMap<>(Store.class));
		if (options.isEmpty()) {
			new FaultsPart(results, none).run((Mode.valueOf(args[1]) == Mode.FULL) ? EnumSet.allOf(Fault.class)
					: EnumSet.of(Fault.LOOK_ALIKES, Fault.KILL));
		}
		else if (options.size() == 1) {
			Fault fault = Fault.valueOf(constantName(option(options, "--fault=")));
			FaultResults others = results.read(NAME, FaultResults.class);
			others.cells().removeIf((cell) -> cell.fault() == fault);
			new FaultsPart(results, others).run(EnumSet.of(fault));
		}
		else {
			Peer peer = Peer.valueOf(constantName(option(options, "--peer=")));
			new FaultsPart(results, none).run(List.of(peer), Fault.valueOf(constantName(option(options, "--fault="))),
					Long.parseLong(option(options, "--seed=")));
		}
		System.exit(0);
	}

	private static String option(List<String> options, String name) {
		return options.stream()
			.filter((option) -> option.startsWith(name))
			.map((option) -> option.substring(name.length()))
			.findFirst()
			.orElseThrow(
					() -> new IllegalArgumentException("Pass only --fault=, or all of --peer=, --fault= and --seed="));
	}

	private static String constantName(String option) {
		return option.toUpperCase(Locale.ROOT).replace('-', '_');
	}

	private void run(Set<Fault> faults) {
		Random seeds = new Random();
		for (Fault fault : faults) {
			for (Set<Store> stores : List.of(EnumSet.of(Store.NONE, Store.POSTGRESQL), EnumSet.of(Store.MARIADB),
					EnumSet.of(Store.VALKEY))) {
				List<Peer> peers = Stream.of(Peer.values()).filter((peer) -> stores.contains(peer.store())).toList();
				long seed = 1 + seeds.nextInt(SEEDS);
				if (fault == Fault.LOOK_ALIKES) {
					peers.forEach((peer) -> run(List.of(peer), fault, seed));
				}
				else {
					run(peers, fault, seed);
				}
				this.results.write(NAME, this.faultResults);
			}
		}
	}

	private void run(List<Peer> peers, Fault fault, long seed) {
		List<Peer> exposed = peers.stream()
			.filter((peer) -> peer.store() != Store.NONE || !fault.affectsStore())
			.toList();
		peers.stream()
			.filter((peer) -> !exposed.contains(peer))
			.forEach((peer) -> add(new Cell(peer, fault, seed, null, "the peer has no store")));
		if (exposed.isEmpty()) {
			return;
		}
		System.out.printf(Locale.ROOT, "%nFaults: %s, seed %d%n", fault.title(), seed);
		List<Cell> cells = new ArrayList<>();
		try (Scene scene = new Scene(Sites.open(exposed.get(0).store(), fault), exposed, fault, seed)) {
			this.faultResults.servers()
				.put((exposed.get(0).store() != Store.NONE) ? exposed.get(0).store() : Store.POSTGRESQL,
						scene.site().version());
			fault.run(scene);
			List<FaultResults.Measured> measured = scene.end(fault.fullSpeedTime());
			for (int i = 0; i < measured.size(); i++) {
				cells.add(new Cell(exposed.get(i), fault, seed, measured.get(i), null));
			}
		}
		catch (NotRunException ex) {
			exposed.forEach((peer) -> cells.add(new Cell(peer, fault, seed, null, ex.getMessage())));
		}
		catch (Exception ex) {
			ex.printStackTrace();
			if (cells.isEmpty()) {
				exposed.forEach((peer) -> cells.add(new Cell(peer, fault, seed, null, "the scene failed: " + ex)));
			}
		}
		cells.forEach(this::add);
	}

	private void add(Cell cell) {
		this.faultResults.cells().add(cell);
		System.out.printf(Locale.ROOT, "  %-26s %s%n", cell.peer().option(), describe(cell));
	}

	private static @Nullable String describe(Cell cell) {
		FaultResults.Measured measured = cell.measured();
		return (measured == null) ? cell.reason()
				: "drawn %,d, duplicates %,d, longest wait for an id %,d ms, lost %s%s".formatted(measured.drawn(),
						measured.twice(), measured.longestMillis(), measured.lost(),
						(measured.failures() != null) ? "\n    " + measured.failures().replace("\n", "\n    ") : "");
	}

}
