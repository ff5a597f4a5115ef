package dev.idspring.tools.columns;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.idspring.tools.columns.ColumnWatch.WatchedColumn;
import dev.idspring.tools.doctor.Doctor;
import dev.idspring.tools.doctor.Finding;
import dev.idspring.tools.doctor.KeyColumn;
import dev.idspring.tools.doctor.KeyColumn.Numbering;
import dev.idspring.monitor.GeneratorSnapshot.KeySpaceSnapshot;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The watched keys of tables.
 *
 * @param database the product
 * @param readAt when they were read
 * @param error why they could not be read
 * @param columns the keys of one column
 * @param findings the problems
 * @param notes the possible problems
 * @param notRead the parts that could not be read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ColumnsDescriptor(String database, @Nullable Instant readAt, @Nullable String error,
		List<ColumnDescriptor> columns, List<Finding> findings, List<Finding> notes,
		List<String> notRead) implements OperationResponseBody {

	static ColumnsDescriptor of(ColumnWatch.Watched watched) {
		return new ColumnsDescriptor(watched.database(), watched.readAt(), watched.error(),
				watched.columns().stream().map(ColumnDescriptor::of).toList(), watched.findings(), watched.notes(),
				watched.notRead());
	}

	/**
	 * The key of a table.
	 *
	 * @param schema the name of its schema
	 * @param table the name of the table
	 * @param column the name of the column
	 * @param type the name of the type
	 * @param status {@code LOW} if it is nearly used up
	 * @param last the last number of the type or the sequence
	 * @param used the furthest number in use, by the end of the index and the sequence
	 * @param usedPercent the used share in percent
	 * @param rows the row count in the statistics of the database
	 * @param numbering the numbering of the rows by the database
	 * @param idsPerSecond the rate of use since this instance started to watch
	 * @param exhaustedAt when the numbers end at this rate
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	public record ColumnDescriptor(@Nullable String schema, String table, String column, String type, String status,
			@Nullable BigInteger last, @Nullable BigInteger used, double usedPercent, @Nullable Long rows,
			@Nullable Numbering numbering, @Nullable Double idsPerSecond, @Nullable Instant exhaustedAt) {

		static ColumnDescriptor of(WatchedColumn watched) {
			KeyColumn column = watched.column();
			KeySpaceSnapshot numbers = watched.numbers();
			return new ColumnDescriptor(column.schema(), column.table(), column.column(), column.type(),
					watched.low() ? "LOW" : "UP", column.last(), (numbers != null) ? column.used() : null,
					Doctor.usedPercent(column), column.rows(), column.numbering(),
					(numbers != null) ? numbers.idsPerSecond() : null,
					(numbers != null) ? numbers.exhaustedAt() : null);
		}

	}

}
