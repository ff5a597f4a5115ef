package dev.idspring.tools.columns;

import java.time.Duration;
import java.util.Map;

import dev.idspring.autoconfigure.actuate.WatchedColumns;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Describes the watched columns for the endpoint and the health indicator.
 *
 * @param watch watches the columns
 */
record ColumnWatchAdapter(ColumnWatch watch) implements WatchedColumns {

	@Override
	@RegisterReflectionForBinding(ColumnsDescriptor.class)
	public OperationResponseBody describe(Duration timeout) {
		return ColumnsDescriptor.of(this.watch.read(timeout));
	}

	@Override
	public Map<String, Object> healthDetails() {
		ColumnWatch.ColumnsState state = this.watch.lastState();
		return Map.of("columns", state.lowColumns().isEmpty() ? "UP" : "LOW", "low", state.lowColumns());
	}

}
