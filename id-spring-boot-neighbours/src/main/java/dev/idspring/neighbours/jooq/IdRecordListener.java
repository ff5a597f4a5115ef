package dev.idspring.neighbours.jooq;

import java.sql.Connection;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import dev.idspring.IdGenerator;
import dev.idspring.IdSetupException;
import dev.idspring.InvalidSettingException;
import dev.idspring.TransactionalIds.Insert;
import dev.idspring.TransactionalIds;
import dev.idspring.annotation.IdType;
import org.jooq.ConnectionProvider;
import org.jooq.Field;
import org.jooq.RecordContext;
import org.jooq.RecordListener;
import org.jooq.TableField;
import org.jooq.TableRecord;
import org.jooq.impl.DataSourceConnectionProvider;

/**
 * Assigns ids to the records that jOOQ inserts with {@code store()}, {@code insert()},
 * {@code batchStore} and {@code batchInsert}. Statements such as {@code insertInto} do
 * not call listeners, so their rows get no ids. The argument of the constructor
 * determines which columns get ids. This listener does not replace a value that is
 * already present.
 * <p>
 * The Java type of a column determines the form of its ids. A {@code Long} or an
 * {@code Integer} gets a number other than 0, because persistence libraries treat 0 as a
 * missing id. If the number does not fit into an {@code Integer}, the insert fails. A
 * {@code String} gets the text form of the id, and a {@code UUID} gets the id as a UUID.
 * The type may also be a Java record whose only component has one of these types.
 *
 * @since 0.1.0
 */
public final class IdRecordListener implements RecordListener {

	private final Map<TableField<?, ?>, Source> sources;

	/**
	 * Create a listener.
	 * @param generators the columns that get ids, each with its generator, for example
	 * {@code Map.of(ORDERS.ID, ids.get("orders"))}
	 * @throws IdSetupException if the type of a column cannot hold ids
	 * @throws IllegalArgumentException if the map, a column or a generator is
	 * {@code null}
	 */
	public IdRecordListener(Map<? extends TableField<?, ?>, ? extends IdGenerator> generators) {
		InvalidSettingException.requireGiven(IdRecordListener.class, "generators", generators);
		InvalidSettingException.require(
				generators.entrySet().stream().noneMatch((entry) -> entry.getKey() == null || entry.getValue() == null),
				IdRecordListener.class, "generators", generators, "must not contain null");
		this.sources = generators.entrySet()
			.stream()
			.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey,
					(entry) -> Source.of(entry.getKey(), entry.getValue())));
	}

	@Override
	public void insertStart(RecordContext context) {
		if (context.record() instanceof TableRecord<?> row) {
			this.sources.forEach((column, source) -> {
				if (column.getTable().equals(row.getTable()) && row.get(column) == null) {
					set(row, column, source.next(context));
				}
			});
		}
	}

	/**
	 * Verify that rows can be inserted in the transactions in which their ids are drawn.
	 * @param dataSources all data sources through which the rows may be inserted
	 */
	void verifyInserts(Collection<DataSource> dataSources) {
		this.sources.values().forEach((source) -> {
			if (source.generator() instanceof TransactionalIds ids) {
				ids.verifyInserts(source.column(), dataSources);
			}
		});
	}

	private static <T> void set(TableRecord<?> row, Field<T> column, Object id) {
		row.set(column, column.getType().cast(id));
	}

	/**
	 * The source of the ids of a column.
	 *
	 * @param column the name of the column
	 * @param type the type of the column
	 * @param generator the generator of the ids
	 */
	private record Source(String column, IdType type, IdGenerator generator) {

		static Source of(TableField<?, ?> column, IdGenerator generator) {
			String name = column.getQualifiedName().toString();
			IdType type = IdType.of(column.getType())
				.orElseThrow(() -> new IdSetupException(
						"The column " + name + " is of type " + column.getType().getTypeName()
								+ "; ids need a Long, an Integer, a String, a UUID, or a record with one of these.",
						"Remove the column from the IdRecordListener, or let jOOQ convert it to one of these types, for"
								+ " example with a forced type."));
			return new Source(name, type, generator);
		}

		Object next(RecordContext context) {
			if (this.generator instanceof TransactionalIds ids) {
				verifyInsert(ids, context.configuration().connectionProvider());
			}
			return this.type.next(this.generator, this.column);
		}

		/**
		 * Verify that the row is inserted in the transaction in which its id would be
		 * drawn.
		 */
		private void verifyInsert(TransactionalIds ids, ConnectionProvider provider) {
			Connection connection = provider.acquire();
			try {
				ids.verifyInsert(
						new Insert(this.column, (provider instanceof DataSourceConnectionProvider dataSourceProvider)
								? dataSourceProvider.dataSource() : null, connection));
			}
			finally {
				if (connection != null) {
					provider.release(connection);
				}
			}
		}

	}

}
