package dev.idspring.neighbours;

import java.util.Collections;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.persistence.IdFormats;
import dev.idspring.neighbours.batch.IdIncrementerFactory;
import dev.idspring.neighbours.graphql.IdScalars;
import dev.idspring.neighbours.jooq.IdRecordListener;
import dev.idspring.testsupport.PublicApi;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jooq.TableField;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests that the public methods of this module reject {@code null} arguments. The
 * {@link IllegalArgumentException} must name the parameter.
 */
class NeighbourArgumentTests {

	private final PublicApi api = new PublicApi();

	@Test
	void scalarsRejectNullAndNameTheParameter() {
		IdGenerators generators = this.api.sample(IdGenerators.class);
		IdFormats formats = new IdFormats(() -> generators);
		this.api.sample(IdFormats.class, () -> formats).sample(IdScalars.class, () -> new IdScalars(formats));
		assertThat(this.api.violations(IdScalars.class)).isEmpty();
	}

	@Test
	void constructorsRejectNullAndNameTheParameter() {
		IdGenerator generator = this.api.sample(IdGenerator.class);
		TableField<?, ?> column = this.api.sample(TableField.class);
		assertRejected("ids", () -> new IdIncrementerFactory(null));
		assertRejected("generators", () -> new IdRecordListener(null));
		assertRejected("generators", () -> new IdRecordListener(Collections.singletonMap(null, generator)));
		assertRejected("generators", () -> new IdRecordListener(Collections.singletonMap(column, null)));
	}

	private static void assertRejected(String parameter, ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call).withMessageStartingWith(parameter + " is ");
	}

}
