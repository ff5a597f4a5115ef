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
 * Tests that missing arguments of what applications call are refused by an
 * IllegalArgumentException that names them.
 */
class NeighbourArgumentTests {

	private final PublicApi api = new PublicApi();

	@Test
	void scalarsRefuseNullByName() {
		IdGenerators generators = this.api.sample(IdGenerators.class);
		IdFormats formats = new IdFormats(() -> generators);
		this.api.sample(IdFormats.class, () -> formats).sample(IdScalars.class, () -> new IdScalars(formats));
		assertThat(this.api.acceptingNull(IdScalars.class)).isEmpty();
	}

	@Test
	void constructorsRefuseNullByName() {
		IdGenerator generator = this.api.sample(IdGenerator.class);
		TableField<?, ?> column = this.api.sample(TableField.class);
		assertRefused("ids", () -> new IdIncrementerFactory(null));
		assertRefused("generators", () -> new IdRecordListener(null));
		assertRefused("generators", () -> new IdRecordListener(Collections.singletonMap(null, generator)));
		assertRefused("generators", () -> new IdRecordListener(Collections.singletonMap(column, null)));
	}

	private static void assertRefused(String parameter, ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call).withMessageStartingWith(parameter + " is ");
	}

}
