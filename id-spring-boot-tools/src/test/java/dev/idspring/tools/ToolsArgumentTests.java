package dev.idspring.tools;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.jdbc.QualifiedName;
import dev.idspring.monitor.LowThreshold;
import dev.idspring.testsupport.PublicApi;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeScheme;
import dev.idspring.tools.ddl.DdlTarget.DdlPlatform;
import dev.idspring.tools.ddl.DdlTarget;
import dev.idspring.tools.ddl.IdDdl;
import dev.idspring.tools.ddl.TimeFunction;
import dev.idspring.tools.doctor.Alteration;
import dev.idspring.tools.doctor.Doctor;
import dev.idspring.tools.doctor.KeyColumn;
import dev.idspring.tools.doctor.KeyColumns;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests that invalid arguments are rejected with an IllegalArgumentException that names
 * the parameter.
 */
class ToolsArgumentTests {

	private final PublicApi api = new PublicApi();

	ToolsArgumentTests() {
		TimeScheme scheme = SnowflakeSettings.Preset.STANDARD.settings().scheme();
		TimeFunction function = new TimeFunction(scheme, 1, Duration.ofSeconds(1), Duration.ofSeconds(5));
		DdlTarget target = new DdlTarget(DdlPlatform.POSTGRESQL, null, "next_id");
		KeyColumn column = new KeyColumn(new QualifiedName(null, "t"), "c", "bigint", null, null, null, null, null,
				null, List.of(), null);
		this.api.sample(Doctor.class, () -> new Doctor(LowThreshold.defaults()))
			.sample(DdlTarget.class, () -> target)
			.sample(IdDdl.class, () -> IdDdl.on(target))
			.sample(KeyColumn.class, () -> column)
			.sample(KeyColumns.class,
					() -> new KeyColumns("H2", null, List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
							List.of(), List.of(), List.of()))
			.sample(LowThreshold.class, LowThreshold::defaults)
			.sample(QualifiedName.class, () -> new QualifiedName(null, "t"))
			.sample(TimeFunction.class, () -> function)
			.sample(TimeScheme.class, () -> scheme)
			.sample("IdDdl.withReservation(tablePrefix)", "ids_");
	}

	static Stream<Class<?>> types() {
		return Stream.of(Alteration.class, DdlTarget.class, Doctor.class, IdDdl.class, KeyColumns.class,
				TimeFunction.class);
	}

	@ParameterizedTest
	@MethodSource("types")
	void rejectsNullAndNamesTheParameter(Class<?> type) {
		assertThat(this.api.violations(type)).isEmpty();
	}

	@Test
	void rejectsAnInvalidValueAndNamesTheParameter() {
		TimeScheme scheme = SnowflakeSettings.Preset.STANDARD.settings().scheme();
		IdDdl ddl = IdDdl.on(new DdlTarget(DdlPlatform.MARIADB, null, "next_id"));
		assertRejected("node is -1", () -> ddl.withReservation("ids_", "sample", -1));
		assertRejected("function is ''", () -> new DdlTarget(DdlPlatform.MARIADB, null, ""));
		assertRejected("maxAhead is -1s",
				() -> new TimeFunction(scheme, 1, Duration.ofSeconds(-1), Duration.ofSeconds(5)));
		assertRejected("waitTimeout is 9223372036854775807s",
				() -> new TimeFunction(scheme, 1, Duration.ZERO, Duration.ofSeconds(Long.MAX_VALUE)));
	}

	private static void assertRejected(String message, ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call).withMessageStartingWith(message);
	}

}
