package dev.idspring.autoconfigure;

import java.util.List;
import java.util.Map;

import dev.idspring.IdGenerators;
import dev.idspring.annotation.IdType;
import dev.idspring.autoconfigure.actuate.IdsEndpoint;
import dev.idspring.autoconfigure.jackson.IdJacksonModule;
import dev.idspring.autoconfigure.persistence.IdConverters;
import dev.idspring.autoconfigure.persistence.IdFormats;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.store.memory.InMemoryKeySpaceStore;
import dev.idspring.testsupport.PublicApi;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests that public methods and constructors reject null with an IllegalArgumentException
 * that names the parameter.
 */
class ArgumentTests {

	private final PublicApi api = new PublicApi();

	ArgumentTests() {
		IdGenerators generators = this.api.sample(IdGenerators.class);
		IdFormats formats = new IdFormats(() -> generators);
		this.api.sample(IdFormats.class, () -> formats)
			.sample(IdJacksonModule.class, () -> new IdJacksonModule(formats));
	}

	@ParameterizedTest
	@ValueSource(classes = { IdConverters.class, IdFormats.class })
	void nullIsRejectedWithTheNameOfTheParameter(Class<?> type) {
		assertThat(this.api.violations(type)).isEmpty();
	}

	@Test
	void constructorsRejectNullWithTheNameOfTheParameter() {
		assertRejected("formats", () -> new IdJacksonModule(null));
		assertRejected("generators", () -> new IdsEndpoint(null, null));
		assertRejected("type", () -> IdType.of(null));
		assertRejected("types", () -> IdConverters.of((Class<?>) null));
	}

	@Test
	void nullBlankOrInvalidNameIsRejectedWithTheKnownNames() {
		try (BlockIdGenerator ids = BlockIdGenerator
			.sequential("orders", new SequentialSettings(1, 10), new InMemoryKeySpaceStore())
			.open()) {
			DefaultIdGenerators generators = new DefaultIdGenerators(Map.of("ids", ids), Map.of(), null);
			assertRejected("name", () -> generators.get(null));
			assertRejected("name", () -> generators.scoped(null));
			assertThatIllegalArgumentException().isThrownBy(() -> generators.get(null))
				.withMessageContaining("known: orders");
			for (String name : List.of("", " ", "-")) {
				assertThatIllegalArgumentException().isThrownBy(() -> generators.get(name))
					.withMessageContaining("known: orders");
			}
		}
	}

	private static void assertRejected(String parameter, ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call).withMessageStartingWith(parameter + " is ");
	}

}
