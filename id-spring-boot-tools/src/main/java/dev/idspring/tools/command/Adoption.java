package dev.idspring.tools.command;

import java.math.BigInteger;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Supplier;

import dev.idspring.IdStoreUnavailableException;
import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.tools.command.AdoptionSource.Request;
import dev.idspring.tools.doctor.KeyColumn;
import dev.idspring.tools.doctor.KeyColumns;
import dev.idspring.jdbc.AdoptedKeySpaces;
import dev.idspring.jdbc.Bridge;
import dev.idspring.jdbc.Bridge.Counter;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.jdbc.QualifiedName;
import dev.idspring.jdbc.QualifiedName.Place;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Plans and executes the adoption of one table. After the adoption, a key space issues
 * the keys of the table. Old instances of the application either share their source of
 * keys with the key space through a {@link Bridge}, use a separate range of an identity
 * column's keys, or must be stopped.
 */
final class Adoption {

	/**
	 * The maximum distance between the first key of the key space and the number to which
	 * the plan raises the next number of an identity column. The key space issues the
	 * numbers in between. This maximum does not apply if the configured end of the key
	 * space is below both the highest value of the column's type and
	 * {@link SequentialSettings#MAX_END}. In this case, the column continues after the
	 * end of the key space.
	 */
	private static final BigInteger MAX_DISTANCE = BigInteger.valueOf(1_000_000_000);

	private final Request request;

	private final TableKeySpace target;

	private final JdbcKeySpaceStore store;

	private final AdoptedKeySpaces keySpaces;

	private final String keySpaceTable;

	private final KeyColumns keys;

	private final KeyColumn column;

	private final AdoptedColumn adoptedColumn;

	private final AdoptionDdl ddl;

	private final JdbcTemplate jdbc;

	Adoption(Request request, TableKeySpace target, JdbcKeySpaceStore store, String keySpaceTable, KeyColumns keys,
			AdoptedColumn adoptedColumn, JdbcTemplate jdbc, String quote) {
		this.request = request;
		this.target = target;
		this.store = store;
		this.keySpaces = new AdoptedKeySpaces(store);
		this.keySpaceTable = keySpaceTable;
		this.keys = keys;
		this.column = adoptedColumn.key();
		this.adoptedColumn = adoptedColumn;
		this.ddl = new AdoptionDdl(quote, adoptedColumn);
		this.jdbc = jdbc;
	}

	Map<String, Object> fields() {
		Map<String, Object> fields = new LinkedHashMap<>();
		fields.put("table", this.column.place().toString());
		fields.put("generator", this.target.generator());
		return fields;
	}

	String keySpace() {
		return this.target.name();
	}

	/**
	 * Plan the start of the adoption.
	 * @param confirmed whether the operator has confirmed the plan. If so, the caller
	 * executes the plan, unless a table has a problem
	 */
	Step begin(boolean confirmed) {
		String name = this.target.name();
		if (!this.keySpaces.isUnused(name, CommandContext.deadline())) {
			String state = this.store.bridge(name, CommandContext.deadline())
				.map((existing) -> " It shares " + existing + " with old instances. When no old instance is left, run"
						+ " this command with --ids.adopt.end=true.")
				.orElseGet(() -> " It has issued ids, but a table must be adopted before its key space issues ids. If"
						+ " none of these ids is in use, and no instance of the new application is running, run this"
						+ " statement, and then this command again: " + this.keySpaces.removal(name));
			return Step.problem("Key space '" + name + "' already exists." + state);
		}
		AdoptionSource source = AdoptionSource.find(this.request, this.adoptedColumn, this.keys, this.target.start(),
				this.jdbc, this.ddl.quote());
		BigInteger highest = Objects.requireNonNullElse(this.column.highest(), BigInteger.ZERO);
		List<String> lines = new ArrayList<>();
		lines.add("The keys of " + this.column.name() + " (" + this.column.type() + ") come from "
				+ source.description() + "; " + CommandContext.highestKey(this.column) + ".");
		lines.addAll(source.notes());
		this.adoptedColumn.unreadParts().forEach((part) -> lines.add("Not read: " + part + "."));
		if (source.identity()) {
			BigInteger next = (source.numbering() != null) ? source.numbering().next() : null;
			if (next == null) {
				lines.add("But the next key cannot be read. Grant select on the table, and run this command again.");
				return Step.problem(lines);
			}
			return planIdentityAhead(confirmed, lines, next);
		}
		BigInteger firstUnused = highest.add(BigInteger.ONE);
		Bridge bridge = source.bridge();
		if (bridge != null) {
			verifySameDatabase("");
			firstUnused = BigInteger.valueOf(this.keySpaces.firstUnused(
					new Bridge(bridge.source(), bridge.counter(), bridge.increment(), 0), CommandContext.deadline()));
			if (this.column.highest() != null && firstUnused.compareTo(highest) <= 0) {
				lines.add("But the first unused number of " + bridge + " is " + firstUnused
						+ ", so either the keys do not come from it, or its values are multiplied (Hibernate's hilo)."
						+ " Set ids.adopt.source to the right source, advance the current source, or stop all"
						+ " instances and set ids.adopt.source to none.");
				return Step.problem(lines);
			}
		}
		BigInteger first = firstUnused.max(highest.add(BigInteger.ONE)).max(BigInteger.valueOf(this.target.start()));
		if (first.compareTo(BigInteger.valueOf(this.target.end())) > 0) {
			lines.add("The next key, " + first + ", is outside key space '" + name + "', which ranges from "
					+ this.target.start() + " to " + this.target.end() + ".");
			return Step.problem(lines);
		}
		List<String> ddl = new ArrayList<>(this.ddl.allowKeys());
		boolean needsDdlFirst = !ddl.isEmpty();
		List<String> limitDdl = limitDdl(bridge, confirmed);
		ddl.addAll(limitDdl);
		String widthInstruction = widthInstruction();
		if (confirmed && (needsDdlFirst || !widthInstruction.isEmpty())) {
			lines.add("First:");
		}
		List<String> plan = new ArrayList<>();
		if (needsDdlFirst) {
			plan.add("Run the first statement of the DDL below, so that the column accepts explicit keys. Old instances"
					+ " can still insert rows without a key.");
		}
		if (!widthInstruction.isEmpty()) {
			plan.add(widthInstruction);
		}
		boolean problem = confirmed && !plan.isEmpty();
		if (!confirmed) {
			lines.add("The plan:");
			plan.add("Run this command with --ids.adopt.confirm=true: it creates key space '" + name + "'"
					+ ((bridge != null) ? ", which draws its blocks from " + bridge + ", as old instances do."
							: ", which continues at " + first + "."));
			plan.add((bridge != null) ? "Replace the instances one by one."
					: "Start the new instances. From then on, no old instance may insert rows.");
			if (bridge != null) {
				if (!limitDdl.isEmpty()) {
					plan.add("Run the statement of the DDL below that limits the counter. Skip this step if other"
							+ " tables also draw from the counter, or if the counter already has this limit,"
							+ " which the command has not tested.");
				}
				plan.add("When no old instance is left, run this command again with --ids.adopt.end=true added:"
						+ " the key space then continues without " + bridge + ".");
			}
		}
		for (int i = 0; i < plan.size(); i++) {
			lines.add((i + 1) + ". " + plan.get(i));
		}
		if (problem) {
			return new Step(true, lines, ddl, () -> "");
		}
		return new Step(false, lines, ddl, () -> {
			create(first, bridge);
			return "Key space '" + name + "' was created"
					+ ((bridge != null) ? ". It draws blocks from " + bridge + " until you set --ids.adopt.end=true."
							: ", and continues at " + first + ".");
		});
	}

	/**
	 * Return the instruction for a column that cannot hold the last key of the key space,
	 * or an empty string for other columns.
	 */
	private String widthInstruction() {
		BigInteger last = Objects.requireNonNull(this.column.end());
		return (BigInteger.valueOf(this.target.end()).compareTo(last) > 0) ? "Set " + this.target.propertyPrefix()
				+ ".end to " + last + ", or make the column wider first: the key space ends at " + this.target.end()
				+ ", which does not fit into the column." : "";
	}

	/**
	 * Return the DDL that prevents the counter of a bridge from exceeding its
	 * {@linkplain AdoptedKeySpaces#finalValue final value}. The list is empty for a
	 * sequence or a view, or if a test shows that the limit exists.
	 * @param mayTest whether the limit may be tested; {@code false} for a plan, because
	 * the test writes to the table and rolls back
	 */
	private List<String> limitDdl(@Nullable Bridge bridge, boolean mayTest) {
		Counter counter = (bridge != null) ? bridge.counter() : null;
		if (bridge == null || counter == null || isView(bridge.source())) {
			return List.of();
		}
		long last = this.keySpaces.finalValue(bridge, CommandContext.deadline()).orElseThrow();
		return (mayTest && isLimited(bridge)) ? List.of() : List.of(this.ddl.limit(bridge, counter, last));
	}

	/**
	 * Return whether a test shows that the counter has a limit. If the test cannot run,
	 * for example because the user may not change the counter, return {@code false}, so
	 * that the report contains the statement that adds the limit.
	 */
	private boolean isLimited(Bridge bridge) {
		try {
			return this.keySpaces.isLimited(bridge, CommandContext.deadline());
		}
		catch (IdStoreUnavailableException ex) {
			return false;
		}
	}

	private boolean isView(QualifiedName source) {
		return Boolean.TRUE.equals(this.jdbc.execute((ConnectionCallback<Boolean>) (connection) -> {
			Place place = Place.of(connection).withSchema(source.schema());
			try (ResultSet found = place.data()
				.getTables(place.catalog(), place.pattern(), "%", new String[] { "VIEW" })) {
				while (found.next()) {
					if (source.name().equals(found.getString("TABLE_NAME"))) {
						return true;
					}
				}
				return false;
			}
		}));
	}

	private Step planIdentityAhead(boolean confirmed, List<String> lines, BigInteger next) {
		BigInteger end = BigInteger.valueOf(this.target.end());
		if (next.compareTo(end) > 0) {
			return planBelowIdentity(confirmed, lines, next, end);
		}
		BigInteger last = Objects.requireNonNull(this.column.end());
		boolean endIsSet = end.compareTo(last.min(BigInteger.valueOf(SequentialSettings.MAX_END))) < 0;
		BigInteger first = next.max(BigInteger.valueOf(this.target.start()));
		BigInteger half = last.subtract(first).shiftRight(1);
		if (!endIsSet && half.signum() < 1) {
			lines.add("But the column ends at " + last + ", and the key space would begin at " + first
					+ ". Make the column wider first" + (first.equals(next) ? "."
							: ", or set " + this.target.propertyPrefix() + ".start to a lower number."));
			return Step.problem(lines);
		}
		BigInteger mark = endIsSet ? end.add(BigInteger.ONE) : first.add(half.min(MAX_DISTANCE));
		lines.addAll(List.of("An explicit key above the column's next number, " + next + ", would raise it. The plan:",
				"1. Run the DDL below, so that old instances continue with " + mark + ".",
				"2. Set " + this.target.propertyPrefix() + ".start to " + first + " and .end to "
						+ mark.subtract(BigInteger.ONE) + ", so that new instances stay below " + mark + ".",
				"3. Run this command with --ids.adopt.confirm=true, which verifies that the column continues"
						+ " above the end of the key space. Then replace the instances one by one."));
		List<String> ddl = new ArrayList<>(this.ddl.allowKeys());
		ddl.add(this.ddl.continueWith(mark));
		return new Step(confirmed, lines, ddl, () -> "");
	}

	/**
	 * Plan the adoption of an identity column whose next number is already above the end
	 * of the key space.
	 */
	private Step planBelowIdentity(boolean confirmed, List<String> lines, BigInteger next, BigInteger end) {
		String name = this.target.name();
		BigInteger highest = Objects
			.requireNonNullElse(this.jdbc.queryForObject(this.ddl.highestUpTo(end), BigInteger.class), BigInteger.ZERO);
		BigInteger first = highest.add(BigInteger.ONE).max(BigInteger.valueOf(this.target.start()));
		if (first.compareTo(end) > 0) {
			lines.add("Key " + end + ", the last key of the key space, is in use. Set " + this.target.propertyPrefix()
					+ ".end above " + next + ", and run this command again.");
			return Step.problem(lines);
		}
		lines.add("The column continues with " + next + ", and the key space issues " + first + " to " + end + ".");
		List<String> ddl = this.ddl.allowKeys();
		if (!ddl.isEmpty()) {
			lines.add("First run the DDL below, so that the column accepts explicit keys. Old instances can still"
					+ " insert rows without a key.");
		}
		if (!confirmed) {
			lines.add("Run this command with --ids.adopt.confirm=true, then replace the instances one by one.");
		}
		return new Step(confirmed && !ddl.isEmpty(), lines, ddl, () -> {
			create(first, null);
			return "Key space '" + name + "' was created. Replace the instances one by one.";
		});
	}

	private void create(BigInteger first, @Nullable Bridge bridge) {
		StoredKeySpace keySpace = new StoredKeySpace(this.target.name(), this.target.keySpace().definition(),
				this.target.keySpace().capacity(), first.longValueExact() - this.target.start());
		if (!this.keySpaces.adopt(keySpace, bridge, CommandContext.deadline())) {
			throw AdoptCommand.failure(
					"generator is '" + this.target.generator() + "', but its key space is already in use.",
					"Stop the new instances of the application, and run the command again.");
		}
		if (bridge != null) {
			verifySameDatabase("Do not start new instances. Run this statement in the id store: "
					+ this.keySpaces.removal(this.target.name()) + " ");
		}
	}

	/**
	 * Verify that the database of the table also contains the id store, because a bridge
	 * draws from the source through the connection of the store.
	 * @param instruction what the operator must do first if this verification fails
	 */
	private void verifySameDatabase(String instruction) {
		String name = this.target.name();
		String problem;
		try {
			List<String> found = this.jdbc
				.queryForList("select definition from " + this.keySpaceTable + " where name = ?", String.class, name);
			if (found.equals(this.store.read(name, CommandContext.deadline())
				.map(StoredKeySpace::definition)
				.stream()
				.toList())) {
				return;
			}
			problem = "the row of key space '" + name + "' there differs from the row in the id store";
		}
		catch (DataAccessException ex) {
			problem = String.valueOf(ex.getMostSpecificCause().getMessage());
		}
		throw AdoptCommand.failure(
				"table is " + this.column.place() + ", but the command cannot read the id store in the same database: "
						+ problem + ".",
				instruction + "If the tables of the store are in another database, move them, or stop all old instances"
						+ " and set ids.adopt.source to none.");
	}

	/**
	 * Plan the end of the bridge.
	 * @param endingKeySpaces the key spaces whose bridges this command ends
	 */
	Step end(IdsProperties.Adopt options, List<String> endingKeySpaces) {
		String name = this.target.name();
		Bridge bridge = this.store.bridge(name, CommandContext.deadline()).orElse(null);
		if (bridge == null) {
			return Step.problem("Key space '" + name + "' has no bridge to end.");
		}
		List<String> otherKeySpaces = new ArrayList<>(this.keySpaces.bridged(bridge, CommandContext.deadline()));
		otherKeySpaces.removeAll(endingKeySpaces);
		boolean isCounter = bridge.counter() != null;
		boolean close = !options.keepSource() && otherKeySpaces.isEmpty();
		List<String> lines = new ArrayList<>();
		if (!otherKeySpaces.isEmpty()) {
			lines.add("Key spaces " + otherKeySpaces + " also draw from " + bridge
					+ ", which this command does not change until their bridges have ended.");
		}
		if (options.confirm() && close && isCounter && !this.keySpaces.isLimited(bridge, CommandContext.deadline())) {
			lines.add("The bridge of key space '" + name + "' cannot end yet: " + bridge
					+ " must first reject values above its final value, so that an overlooked old instance fails"
					+ " instead of repeating keys. "
					+ (isView(bridge.source())
							? "It is a view. Give the table behind it a check constraint that limits the counter to "
									+ this.keySpaces.finalValue(bridge, CommandContext.deadline()).orElseThrow()
									+ ", and run this command again."
							: "Run the DDL below, and then this command again.")
					+ " If other tables draw from the counter, add --ids.adopt.keep-source=true instead.");
			return new Step(true, lines, limitDdl(bridge, true), () -> "");
		}
		if (!options.confirm()) {
			List<String> ddl = close ? limitDdl(bridge, false) : List.of();
			lines.add("Key space '" + name + "' would no longer draw from " + bridge + ". "
					+ ((close && isCounter)
							? "The counter would be set to a value at which an instance that still draws from it fails."
							: "An instance that still draws from it would generate the same keys as the key space.")
					+ (ddl.isEmpty() ? ""
							: " The command did not test whether the counter has a limit: if it has none, run the"
									+ " DDL below first.")
					+ " When no old instance is left, run the command again with --ids.adopt.confirm=true added.");
			return new Step(false, lines, ddl, () -> "");
		}
		List<String> ddl = (close && !isCounter) ? this.ddl.close(bridge, this.keys) : List.of();
		return new Step(false, lines, ddl, () -> {
			boolean last = this.keySpaces.bridged(bridge, CommandContext.deadline()).equals(List.of(name));
			OptionalLong next = this.keySpaces.endBridge(name, close && last, CommandContext.deadline());
			return "The bridge of key space '" + name + "' has ended. The key space continues at "
					+ (this.target.start() + next.orElse(0)) + "." + afterwards(bridge, close, ddl);
		});
	}

	private String afterwards(Bridge bridge, boolean close, List<String> ddl) {
		List<String> otherColumns = this.adoptedColumn.otherColumnsThatUse(bridge.source());
		if (!close) {
			return " " + bridge + " was not changed, so an overlooked old instance would repeat keys.";
		}
		if (bridge.counter() != null) {
			return " " + bridge + " has a value at which the next draw fails. Do not change this value.";
		}
		return (ddl.isEmpty() ? ""
				: " Run the DDL, so that an overlooked old instance fails instead of repeating keys. Do not run the DDL"
						+ " if other tables draw from " + bridge + ".")
				+ (otherColumns.isEmpty() ? "" : " " + bridge + " remains usable, because " + otherColumns
						+ " draw from it: make sure that no old instance is left.");
	}

	/**
	 * The next step of an adoption.
	 *
	 * @param isProblem whether a problem prevents the action
	 * @param lines the findings and the plan, as lines of the report
	 * @param ddl the statements for the operator to run
	 * @param action executes the step and returns a description of the result
	 */
	record Step(boolean isProblem, List<String> lines, List<String> ddl, Supplier<String> action) {

		static Step problem(String line) {
			return problem(List.of(line));
		}

		static Step problem(List<String> lines) {
			return new Step(true, lines, List.of(), () -> "");
		}

		Step withoutDdl() {
			return new Step(this.isProblem, this.lines, List.of(), this.action);
		}

	}

}
