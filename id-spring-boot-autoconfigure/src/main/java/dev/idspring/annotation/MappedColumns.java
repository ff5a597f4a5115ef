package dev.idspring.annotation;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.idspring.annotation.GeneratedIds.IdProperty;
import org.hibernate.boot.model.relational.Database;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.boot.model.relational.internal.SqlStringGenerationContextImpl;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.DenormalizedTable;
import org.hibernate.mapping.Index;
import org.hibernate.mapping.Join;
import org.hibernate.mapping.KeyValue;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.UniqueKey;
import org.hibernate.mapping.Value;
import org.hibernate.service.ServiceRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Finds the columns to which Hibernate writes a property. The names of tables and columns
 * are those that Hibernate uses in SQL.
 * <ul>
 * <li>A key is written to every table of its entity and of the entity's subclasses:
 * secondary tables, the subclass tables of {@code JOINED} inheritance, and the tables of
 * all classes in {@code TABLE_PER_CLASS} inheritance. In secondary and subclass tables,
 * the column may have a different name.</li>
 * <li>Any other property is written to one table. With {@code TABLE_PER_CLASS}
 * inheritance, the property is also written to the table of each class that inherits
 * it.</li>
 * </ul>
 */
final class MappedColumns {

	/**
	 * The Hibernate setting that chooses the schema per tenant. The name is a literal,
	 * because Hibernate 6 has no constant for it.
	 */
	private static final String SCHEMA_MAPPER = "hibernate.multi_tenant.schema_mapper";

	private final GeneratorCreationContext context;

	private final Set<IdProperty.Column> columns = new LinkedHashSet<>();

	private MappedColumns(GeneratorCreationContext context) {
		this.context = context;
	}

	/**
	 * Find the columns of a property.
	 * @param context describes the property, its entity and the database
	 * @param value Hibernate's mapping of the property to columns
	 * @return the columns; empty if the property has several columns or none, or if no
	 * table is known
	 */
	static List<IdProperty.Column> of(GeneratorCreationContext context, Value value) {
		MappedColumns mapped = new MappedColumns(context);
		if (value.getTable() != null && value.getColumns().size() == 1) {
			mapped.collect(value);
		}
		return List.copyOf(mapped.columns);
	}

	/**
	 * Return the {@code DataSource} of the connections through which Hibernate writes.
	 * @return the {@code DataSource}, or {@code null} if the {@code DataSource} or the
	 * schema is chosen per tenant, or if the connections do not come from a
	 * {@code DataSource}
	 */
	static @Nullable DataSource dataSource(ServiceRegistry services) {
		ConnectionProvider connections = services.getService(ConnectionProvider.class);
		ConfigurationService configuration = services.requireService(ConfigurationService.class);
		boolean schemaDependsOnTenant = configuration.getSettings().containsKey(SCHEMA_MAPPER);
		return (connections != null && !schemaDependsOnTenant && connections.isUnwrappableAs(DataSource.class))
				? connections.unwrap(DataSource.class) : null;
	}

	private void collect(Value value) {
		Column column = value.getColumns().get(0);
		PersistentClass entity = this.context.getPersistentClass();
		// the entity is null if the property belongs to an embeddable
		KeyValue identifier = (entity != null && value.getTable() == entity.getRootClass().getTable())
				? entity.getRootClass().getIdentifier() : null;
		int position = (identifier != null) ? identifier.getColumns().indexOf(column) : -1;
		if (entity != null && position >= 0) {
			entity.getRootClass().getSubclassClosure().forEach((type) -> addKey(type, position));
		}
		else {
			addColumn(value.getTable(), column, false);
			this.context.getDatabase().getNamespaces().forEach((namespace) -> namespace.getTables().forEach((table) -> {
				if (inheritsFrom(table, value.getTable())) {
					addColumn(table, column, false);
				}
			}));
		}
	}

	private void addKey(PersistentClass type, int position) {
		addKey(type.getTable(), type.getKey(), position);
		for (Join join : type.getJoins()) {
			if (!join.isInverse()) {
				addKey(join.getTable(), join.getKey(), position);
			}
		}
	}

	private void addKey(Table table, KeyValue key, int position) {
		addColumn(table, key.getColumns().get(position), key.getColumns().size() == 1);
	}

	private static boolean inheritsFrom(Table table, Table ancestor) {
		return Stream
			.iterate(table, DenormalizedTable.class::isInstance,
					(inheriting) -> ((DenormalizedTable) inheriting).getIncludedTable())
			.anyMatch((inheriting) -> ((DenormalizedTable) inheriting).getIncludedTable() == ancestor);
	}

	private void addColumn(Table table, Column column, boolean isWholeKey) {
		if (!table.isPhysicalTable()) {
			return;
		}
		Database database = this.context.getDatabase();
		JdbcEnvironment environment = database.getJdbcEnvironment();
		SqlStringGenerationContext names = SqlStringGenerationContextImpl.fromExplicit(environment, database,
				this.context.getDefaultCatalog(), this.context.getDefaultSchema());
		this.columns.add(new IdProperty.Column(names.format(table.getQualifiedTableName()),
				column.getQuotedName(environment.getDialect()),
				isWholeKey || column.isUnique() || hasUniqueIndex(table, column)));
	}

	/**
	 * Return whether a table has a unique index on only the given column, for example
	 * because the column is a {@code @NaturalId}.
	 */
	private static boolean hasUniqueIndex(Table table, Column column) {
		return Stream
			.concat(table.getUniqueKeys().values().stream().map(UniqueKey::getColumns),
					table.getIndexes().values().stream().filter(Index::isUnique).map(Index::getSelectables))
			.anyMatch(List.of(column)::equals);
	}

}
