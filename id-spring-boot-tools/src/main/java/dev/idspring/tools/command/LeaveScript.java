package dev.idspring.tools.command;

import java.math.BigInteger;
import java.sql.DatabaseMetaData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.idspring.IdSetupException;
import dev.idspring.autoconfigure.IdsProperties;
import dev.idspring.tools.doctor.KeyColumn;
import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.tools.doctor.KeyColumn.Relation;
import dev.idspring.tools.doctor.KeyColumns;
import dev.idspring.jdbc.QualifiedName;
import dev.idspring.store.KeySpaceStore.StoredKeySpace;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Generates a script for the operator to run. After the script has run, the database
 * itself generates the keys of new rows again. The script also closes the key space, so
 * that no instance reserves more keys.
 *
 * @param jdbc runs queries on the database of the table
 * @param keys the keys of all tables
 * @param quote the quote character for identifiers
 * @param column the primary key of the table
 * @param keySpace the key space that has issued the keys so far
 * @param keySpaceTable the table of key spaces in the id store
 * @param gaplessTable the table of gapless numbers in the id store, {@code null} if the
 * key space is sequential
 */
record LeaveScript(JdbcTemplate jdbc, KeyColumns keys, String quote, KeyColumn column, TableKeySpace keySpace,
		QualifiedName keySpaceTable, @Nullable QualifiedName gaplessTable) {

	private static final Pattern CHECK = Pattern.compile("\\bCHECK \\(");

	/** Matches a string literal. */
	private static final Pattern TEXT = Pattern.compile("'(?:[^'\\\\]++|''|\\\\.)*+'");

	/** Matches a default clause, whose expression may contain nested parentheses. */
	private static final Pattern DEFAULT = Pattern
		.compile("(?i) default " + "(\\w*\\((?:[^()]|\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\))*\\)|\\S+)");

	/**
	 * Return a query for the definition of the key space.
	 */
	String definitionQuery() {
		return "select definition from " + this.keySpaceTable.quoted(this.quote) + " where name = " + name();
	}

	/**
	 * Return an SQL expression for the first key that is not reserved.
	 */
	String firstUnreservedKey() {
		return (this.gaplessTable != null)
				? "(select next_value from " + this.gaplessTable.quoted(this.quote) + " where " + gaplessRow() + ")"
				: "(select " + this.keySpace.start() + " + next_ordinal from " + this.keySpaceTable.quoted(this.quote)
						+ " where name = " + name() + ")";
	}

	private String gaplessRow() {
		return "name = " + name() + " and scope_period = '-' and scope_key = '-'";
	}

	/**
	 * Return the existing sequence or identity that will generate the next keys, or
	 * {@code null} if the script creates a new one.
	 */
	@Nullable Numbering continued(IdsProperties.Leave options) {
		return (options.sequence() != null) ? existingSequence(inSchema(options.sequence()), options)
				: isIdentity() ? this.column.numbering() : null;
	}

	/**
	 * Return the statements of the script in order.
	 * @param continued the sequence or identity whose next number must not become lower,
	 * or {@code null} if the script creates a new one
	 */
	List<String> statements(BigInteger first, @Nullable Numbering continued, IdsProperties.Leave options) {
		// for each value of a sequence, Hibernate's pooled optimizer also uses the
		// allocationSize - 1 numbers before that value
		long keysBelow = options.allocationSize() - 1;
		QualifiedName sequence = (options.sequence() == null) ? null
				: (continued != null) ? continued.place() : newSequence(inSchema(options.sequence()));
		verifyNumbers(first, keysBelow, options.sequence(), continued);
		String firstValue = "(select greatest(" + first + ", " + firstUnreservedKey() + ", (select coalesce(max("
				+ key() + "), 0) + 1 from " + table() + ")" + ((continued != null) ? ", " + nextValue(continued) : "")
				+ ")" + ((keysBelow > 0) ? " + " + keysBelow : "") + ")";
		boolean isInteger = !this.column.type().toLowerCase(Locale.ROOT).matches("(numeric|decimal).*");
		if (sequence == null && !isInteger && !this.keys.database().equals("H2")) {
			throw LeaveCommand.failure(
					"table is " + this.column.place() + ", whose key is " + this.column.type()
							+ ": only integer columns can generate their own keys on " + this.keys.database() + ".",
					"Name a sequence (ids.leave.sequence) if the database has sequences, or change the type to BIGINT"
							+ " first.");
		}
		List<String> statements = new ArrayList<>();
		if (sequence != null && continued == null && !this.keys.database().equals("MySQL")) {
			// if the sequence exists by the time the script runs, the script fails here,
			// before it closes the key space
			statements.add("create sequence " + sequence.quoted(this.quote) + ";");
		}
		statements.addAll(closingStatements());
		switch (this.keys.database()) {
			case "PostgreSQL" -> postgresql(statements, firstValue + "::bigint", sequence, options.allocationSize());
			case "H2" -> h2(statements, firstValue, sequence, options.allocationSize());
			default -> mysql(statements, firstValue, sequence, options.allocationSize());
		}
		return statements;
	}

	private List<String> closingStatements() {
		String definition = this.keySpace.keySpace().definition();
		List<String> statements = new ArrayList<>();
		statements.add("update " + this.keySpaceTable.quoted(this.quote) + " set definition = "
				+ literal(StoredKeySpace.close(definition)) + " where name = " + name() + " and definition = "
				+ literal(definition) + ";");
		if (this.gaplessTable != null) {
			statements.add("update " + this.gaplessTable.quoted(this.quote) + " set scope_count = -1 where "
					+ gaplessRow() + ";");
		}
		return statements;
	}

	private void postgresql(List<String> statements, String firstValue, @Nullable QualifiedName sequence,
			long increment) {
		if (sequence == null) {
			for (QualifiedName unused : unusedSequences()) {
				statements.add("alter sequence " + unused.quoted(this.quote) + " owned by none;");
			}
			if (!isIdentity()) {
				statements.add(alterColumn("drop default"));
				statements.add(alterColumn("add generated by default as identity"));
			}
			statements.add("select setval(pg_get_serial_sequence(" + literal(table()) + ", "
					+ literal(this.column.column()) + "), " + firstValue + ", false);");
			return;
		}
		String name = sequence.quoted(this.quote);
		statements.add("alter sequence " + name + " increment by " + increment + " owned by none;");
		statements.add("select setval(" + literal(name) + ", " + firstValue + ", false);");
		statements.add(alterColumn("drop identity if exists"));
		statements.add(alterColumn("set default nextval(" + literal(name) + ")"));
	}

	/**
	 * Return the sequences that the column owns but does not use. The script detaches
	 * them, because {@code pg_get_serial_sequence} could otherwise return one of them.
	 */
	private List<QualifiedName> unusedSequences() {
		Numbering numbering = this.column.numbering();
		QualifiedName used = (numbering != null && isIdentity()) ? numbering.place() : null;
		return this.jdbc
			.query("""
					select n.nspname, c.relname from pg_catalog.pg_depend d
					join pg_catalog.pg_class c on c.oid = d.objid and c.relkind = 'S'
					join pg_catalog.pg_namespace n on n.oid = c.relnamespace
					join pg_catalog.pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
					where d.classid = 'pg_catalog.pg_class'::regclass and d.refclassid = 'pg_catalog.pg_class'::regclass
					  and d.deptype = 'a' and d.refobjid = ?::regclass and a.attname = ?
					order by 1, 2""", (row, index) -> new QualifiedName(row.getString(1), row.getString(2)), table(),
					this.column.column())
			.stream()
			.filter((one) -> !one.equals(used))
			.toList();
	}

	private void h2(List<String> statements, String firstValue, @Nullable QualifiedName sequence, long increment) {
		if (sequence == null) {
			if (!isIdentity()) {
				statements.add(alterColumn("drop default"));
				statements.add("alter table " + table() + " alter column " + key() + " " + this.column.type()
						+ " generated by default as identity;");
			}
			statements.add(alterColumn("restart with " + firstValue));
			return;
		}
		String name = sequence.quoted(this.quote);
		if (isIdentity()) {
			statements.add(alterColumn("drop identity"));
		}
		statements.add("alter sequence " + name + " increment by " + increment + " restart with " + firstValue + ";");
		statements.add(alterColumn("set default next value for " + name));
	}

	/**
	 * Add the statements for MariaDB and MySQL. The DDL that sets the next number accepts
	 * only a literal, so the script runs the DDL as a prepared statement.
	 */
	private void mysql(List<String> statements, String firstValue, @Nullable QualifiedName sequence, long increment) {
		String setNext;
		String newDefinition = null;
		if (sequence == null) {
			newDefinition = isIdentity() ? null : columnDefinition() + " auto_increment";
			rejectCheckConstraint();
			if (isIdentity()) {
				// MySQL 8 would otherwise return a next number that may be a day old
				statements.add("set @ids_leave = '' /*!80000 , session information_schema_stats_expiry = 0 */;");
			}
			setNext = "alter table " + table() + " auto_increment = ";
		}
		else if (this.keys.database().equals("MySQL")) {
			throw LeaveCommand.failure("sequence is '" + sequence.name() + "', but MySQL has no sequences.",
					"Leave the option out. The column then generates its own keys.");
		}
		else {
			String name = sequence.quoted(this.quote);
			statements.add("alter sequence " + name + " increment by " + increment + ";");
			// redefine only an auto-increment column: the definition of another column
			// may end with a check constraint, and no default may follow it
			if (isIdentity()) {
				newDefinition = columnDefinition() + " default nextval(" + name + ")";
			}
			else {
				statements.add(alterColumn("set default (nextval(" + name + "))"));
			}
			setNext = "alter sequence " + name + " restart with ";
		}
		if (newDefinition != null) {
			// MariaDB and MySQL refuse to change a column that a foreign key references
			boolean isReferenced = !this.column.references().isEmpty();
			if (isReferenced) {
				statements.add("set foreign_key_checks = 0;");
			}
			statements.add("alter table " + table() + " modify column " + key() + " " + newDefinition + ";");
			if (isReferenced) {
				statements.add("set foreign_key_checks = 1;");
			}
		}
		statements.add("set @ids_leave = concat(" + literal(setNext) + ", " + firstValue + ");");
		statements.add("prepare ids_leave from @ids_leave;");
		statements.add("execute ids_leave;");
		statements.add("deallocate prepare ids_leave;");
	}

	/**
	 * Reject a key with a check constraint, which MariaDB and MySQL do not allow on an
	 * auto-increment column. Otherwise, the script would fail after it has closed the key
	 * space.
	 */
	private void rejectCheckConstraint() {
		// whether the server quotes names depends on its settings
		String column = Pattern.quote(this.column.column());
		Pattern name = Pattern.compile("[`\"]" + column + "[`\"]|(?<![\\w$`\"])" + column + "(?![\\w$`\"])");
		CommandContext.showCreateTable(this.jdbc, table()).lines().map(String::strip).filter((line) -> {
			String withoutTexts = TEXT.matcher(line).replaceAll("''");
			return CHECK.matcher(withoutTexts).find() && name.matcher(withoutTexts).find();
		}).findFirst().ifPresent((line) -> {
			throw LeaveCommand.failure(
					"table is " + this.column.place() + ", whose key has a check constraint, which "
							+ this.keys.database() + " does not allow on an auto-increment column: " + line,
					"Remove the check constraint first" + (this.keys.database().equals("MySQL") ? "."
							: ", or name a sequence (ids.leave.sequence)."));
		});
	}

	/**
	 * Return the definition of the column without its default and its
	 * {@code auto_increment}.
	 */
	private String columnDefinition() {
		String definition = CommandContext.columnDefinition(this.jdbc, table(), key());
		int comment = definition.indexOf(" COMMENT '");
		String attributes = (comment < 0) ? definition : definition.substring(0, comment);
		return DEFAULT.matcher(attributes).replaceFirst("").replaceFirst("(?i) auto_increment", "")
				+ ((comment < 0) ? "" : definition.substring(comment));
	}

	private boolean isIdentity() {
		Numbering numbering = this.column.numbering();
		return numbering != null && numbering.identity() && this.column.relation() == Relation.OWN;
	}

	/**
	 * Return the sequence that the operator named, or {@code null} if it does not exist.
	 * The script sets the increment of the sequence, and a new increment may harm other
	 * users of the sequence. Therefore, the sequence must already have this increment, or
	 * the default of this column must draw from the sequence. In either case, no other
	 * column may draw from the sequence.
	 */
	private @Nullable Numbering existingSequence(QualifiedName named, IdsProperties.Leave options) {
		String name = String.valueOf(options.sequence());
		long increment = options.allocationSize();
		List<Numbering> found = QualifiedName.matching(this.keys.sequences(), Numbering::name, named.name());
		CommandContext.only(found.stream().map(Numbering::name).toList(), "ids.leave.sequence", name);
		if (found.isEmpty()) {
			return null;
		}
		Numbering sequence = found.get(0);
		Numbering own = this.column.numbering();
		boolean isOfColumn = own != null && this.keys.isSequence(own) && own.place().equals(sequence.place());
		if (own != null && isOfColumn && own.identity()) {
			throw failure(name, "which belongs to the column " + this.column.name() + ".",
					"Leave the option out, or name another sequence.");
		}
		boolean isDefault = isOfColumn && this.column.relation() == Relation.DEFAULT;
		if (!isDefault && sequence.increment() != increment) {
			throw failure(name,
					"which exists but is not the default of " + this.column.name() + ", and its increment is "
							+ sequence.increment() + ": the script would change the increment to " + increment
							+ " for everything that draws from the sequence.",
					((sequence.increment() > 0)
							? "Set ids.leave.allocation-size to " + sequence.increment()
									+ ", the allocationSize of the entity that used the sequence. Alternatively, name"
							: "Name") + " a sequence that does not exist yet, or drop this one if nothing draws from it"
							+ " anymore.");
		}
		otherColumn(sequence.place()).ifPresent((other) -> {
			throw failure(name,
					"from which " + other.name()
							+ " also draws: the script would change the sequence for that column as well.",
					"Name a sequence that does not exist yet.");
		});
		return sequence;
	}

	/**
	 * Verify that the existing sequence, or the identity of the column, can issue the
	 * next keys. Otherwise, the script could fail after it has closed the key space, or
	 * the sequence could repeat keys.
	 */
	private void verifyNumbers(BigInteger first, long keysBelow, @Nullable String sequence,
			@Nullable Numbering numbering) {
		if (numbering == null) {
			return;
		}
		String setting = (sequence != null) ? "sequence is '" + sequence + "', "
				: "table is " + this.column.place() + ", whose key has its own sequence or identity, ";
		String alternative = (sequence != null) ? ", or name a sequence that does not exist yet." : ".";
		if (numbering.cycles() || numbering.increment() < 1) {
			throw LeaveCommand.failure(setting + "whose numbers do not always increase.",
					"Alter it to NO CYCLE and a positive increment first" + alternative);
		}
		BigInteger next = first;
		if (numbering.next() != null) {
			next = numbering.next().max(first);
		}
		else if (this.keys.database().equals("H2")) {
			// an exhausted sequence has no next number
			next = numbering.end().add(BigInteger.valueOf(numbering.increment()));
		}
		BigInteger value = next.add(BigInteger.valueOf(keysBelow));
		BigInteger end = numbering.end().min(Objects.requireNonNull(this.column.end()));
		if (value.compareTo(end) <= 0) {
			return;
		}
		boolean isTooShort = first.add(BigInteger.valueOf(keysBelow)).compareTo(numbering.end()) > 0;
		throw LeaveCommand.failure(
				setting + (end.equals(numbering.end()) ? "which ends at " : "whose column ends at ") + end
						+ ", but the script would set it to " + value + ".",
				(isTooShort ? "To extend it, run this statement first: " + removeLimit(numbering)
						: "If nothing draws from it anymore, run this statement first: " + restart(numbering, first))
						+ ((sequence != null) ? " Alternatively, name a sequence that does not exist yet." : ""));
	}

	/**
	 * Return DDL that removes the limit of a sequence or identity. On PostgreSQL, the
	 * sequence of a serial column that was changed to BIGINT still has the type integer.
	 */
	private String removeLimit(Numbering numbering) {
		if (!this.keys.isSequence(numbering)) {
			return alterColumn("set no maxvalue");
		}
		return "alter sequence " + numbering.place().quoted(this.quote)
				+ (this.keys.database().equals("PostgreSQL") ? " as bigint" : "") + " no maxvalue;";
	}

	/**
	 * Return DDL that sets the next number of a sequence or identity.
	 */
	private String restart(Numbering numbering, BigInteger next) {
		return this.keys.isSequence(numbering)
				? "alter sequence " + numbering.place().quoted(this.quote) + " restart with " + next + ";"
				: this.keys.database().equals("H2") ? alterColumn("restart with " + next)
						: "alter table " + table() + " auto_increment = " + next + ";";
	}

	/**
	 * Find another column that draws from a sequence.
	 */
	private Optional<KeyColumn> otherColumn(QualifiedName sequence) {
		KeyColumns allKeys = KeyColumns.read(Objects.requireNonNull(this.jdbc.getDataSource()),
				Duration.ofSeconds(this.jdbc.getQueryTimeout()));
		return Stream.concat(allKeys.columns().stream(), allKeys.numbered().stream())
			.filter((one) -> !one.name().equals(this.column.name()))
			.filter((one) -> one.numbering() != null && one.numbering().place().equals(sequence)
					&& allKeys.isSequence(one.numbering())
					&& (one.numbering().identity() || one.relation() == Relation.DEFAULT))
			.findFirst();
	}

	/**
	 * Return the sequence that an option names. The name may be qualified with the schema
	 * of the table. Any other dot is rejected, because in an entity, the part before the
	 * dot would name another schema.
	 */
	private QualifiedName inSchema(String name) {
		String schema = this.column.place().sibling("").toString();
		String inSchema = name.regionMatches(true, 0, schema, 0, schema.length()) ? name.substring(schema.length())
				: name;
		if (inSchema.isBlank() || inSchema.contains(".")) {
			throw failure(name, "which is not a name in schema " + this.column.schema() + ", the schema of the table.",
					"Name a new or existing sequence in this schema, or leave the option out.");
		}
		return this.column.place().sibling(inSchema);
	}

	/**
	 * Return the name under which a new sequence must be stored. The entity does not
	 * quote the name, so the database may convert it to upper or lower case.
	 */
	private QualifiedName newSequence(QualifiedName named) {
		return Objects.requireNonNull(this.jdbc.execute((ConnectionCallback<QualifiedName>) (connection) -> {
			DatabaseMetaData data = connection.getMetaData();
			return data.storesUpperCaseIdentifiers() ? named.sibling(named.name().toUpperCase(Locale.ROOT))
					: data.storesLowerCaseIdentifiers() ? named.sibling(named.name().toLowerCase(Locale.ROOT)) : named;
		}));
	}

	/**
	 * Return an SQL expression for the next value of a sequence or identity.
	 */
	private String nextValue(Numbering numbering) {
		QualifiedName place = numbering.place();
		boolean isSequence = this.keys.isSequence(numbering);
		String quoted = place.quoted(this.quote);
		String schema = literal(String.valueOf(place.schema()));
		String name = literal(place.name());
		return switch (this.keys.database()) {
			case "PostgreSQL" -> "(select last_value + case when is_called then " + numbering.increment()
					+ " else 0 end from " + quoted + ")";
			case "H2" -> isSequence
					? "(select BASE_VALUE from INFORMATION_SCHEMA.SEQUENCES where SEQUENCE_SCHEMA = " + schema
							+ " and SEQUENCE_NAME = " + name + ")"
					: "(select IDENTITY_BASE from INFORMATION_SCHEMA.COLUMNS where TABLE_SCHEMA = " + schema
							+ " and TABLE_NAME = " + name + " and COLUMN_NAME = " + literal(this.column.column()) + ")";
			default -> isSequence ? "(select next_not_cached_value from " + quoted + ")"
					: "(select coalesce(max(auto_increment), 1) from information_schema.tables where table_schema = "
							+ schema + " and table_name = " + name + ")";
		};
	}

	private static IdSetupException failure(String sequence, String problem, String remedy) {
		return LeaveCommand.failure("sequence is '" + sequence + "', " + problem, remedy);
	}

	private String alterColumn(String action) {
		return "alter table " + table() + " alter column " + key() + " " + action + ";";
	}

	private String table() {
		return this.column.place().quoted(this.quote);
	}

	private String key() {
		return new QualifiedName(null, this.column.column()).quoted(this.quote);
	}

	private String name() {
		return literal(this.keySpace.name());
	}

	private String literal(String text) {
		return KeyColumns.literal(this.keys.database(), text);
	}

}
