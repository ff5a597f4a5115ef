package dev.idspring.autoconfigure.persistence;

import java.util.List;

import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.relational.core.sql.SqlIdentifier;

/**
 * Base class of the tests for {@link GeneratedIdCallback}, without a database. The
 * callback knows the generators "default" and "codes".
 */
abstract class AbstractGeneratedIdCallbackTests {

	final NumberedGenerator ids = new NumberedGenerator("default", 1);

	final NumberedGenerator codes = new NumberedGenerator("codes", 5001);

	final JdbcMappingContext context = new JdbcMappingContext();

	final GeneratedIdCallback callback = new GeneratedIdCallback(() -> new TestGenerators(this.ids, this.codes),
			() -> List.of(this.context), TestGenerators.NO_CHECK, SqlIdentifier::getReference, () -> null);

	@SuppressWarnings("unchecked")
	final <T> T convert(T aggregate) {
		// Spring Data's templates register the entity in the mapping context before they
		// call callbacks
		this.context.getRequiredPersistentEntity(aggregate.getClass());
		return (T) this.callback.onBeforeConvert(aggregate);
	}

}
