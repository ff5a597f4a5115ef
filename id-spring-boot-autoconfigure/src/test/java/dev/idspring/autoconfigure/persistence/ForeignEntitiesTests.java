package dev.idspring.autoconfigure.persistence;

import java.util.List;
import java.util.Map;

import dev.idspring.annotation.GeneratedId;
import org.junit.jupiter.api.Test;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.relational.core.mapping.NamingStrategy;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.relational.core.sql.SqlIdentifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for entities without ids of this library, and for unusual mapping contexts.
 */
class ForeignEntitiesTests {

	private final NumberedGenerator ids = new NumberedGenerator("default", 1);

	private GeneratedIdCallback callback(JdbcMappingContext... contexts) {
		return new GeneratedIdCallback(() -> new TestGenerators(this.ids), () -> List.of(contexts),
				TestGenerators.UNCHECKED, SqlIdentifier::getReference, () -> null);
	}

	@Test
	void ignoresAPlainEntityWhoseMappingContextIsNotABean() {
		Plain plain = new Plain(null, List.of(new Part("pen")), Map.of("a", new Part[0]));
		assertThat(callback().onBeforeConvert(plain)).isSameAs(plain);
		assertThat(callback(new JdbcMappingContext()).onBeforeConvert(plain)).isSameAs(plain);
	}

	@Test
	void entityGetsAnIdWhenItsMappingContextIsNotABean() {
		assertThat(callback(new JdbcMappingContext()).onBeforeConvert(new Own(null))).isEqualTo(new Own(1L));
	}

	@Test
	void supportsATypeInSeveralMappingContexts() {
		JdbcMappingContext one = new JdbcMappingContext();
		JdbcMappingContext two = new JdbcMappingContext();
		for (JdbcMappingContext context : List.of(one, two)) {
			context.getRequiredPersistentEntity(Own.class);
		}
		GeneratedIdCallback callback = callback(one, two);
		callback.check();
		assertThat(callback.onBeforeConvert(new Own(null))).isEqualTo(new Own(1L));
	}

	/**
	 * The name of a table may be an expression that can be evaluated only during a
	 * request.
	 */
	@Test
	void doesNotEvaluateTheNameOfTheTable() {
		JdbcMappingContext context = new JdbcMappingContext();
		context.getRequiredPersistentEntity(OfATenant.class);
		GeneratedIdCallback callback = callback(context);
		callback.check();
		assertThat(callback.onBeforeConvert(new OfATenant(null))).isEqualTo(new OfATenant(1L));
	}

	@Test
	void doesNotCallTheNamingStrategy() {
		JdbcMappingContext context = new JdbcMappingContext(new NamingStrategy() {

			@Override
			public String getSchema() {
				return tenant();
			}

		});
		context.getRequiredPersistentEntity(Own.class);
		GeneratedIdCallback callback = callback(context);
		callback.check();
		assertThat(callback.onBeforeConvert(new Own(null))).isEqualTo(new Own(1L));
	}

	@Test
	void ignoresCyclicPlainEntities() {
		Self self = new Self(null, null, List.of());
		assertThat(callback().onBeforeConvert(self)).isSameAs(self);
		JdbcMappingContext context = new JdbcMappingContext();
		context.getRequiredPersistentEntity(Self.class);
		GeneratedIdCallback callback = callback(context);
		callback.check();
		assertThat(callback.onBeforeConvert(self)).isSameAs(self);
	}

	record Plain(@Id Long id, List<Part> parts, Map<String, Part[]> more) {

	}

	record Part(String name) {

	}

	record Own(@Id @GeneratedId Long id) {

	}

	record Self(@Id Long id, Self next, List<Self> all) {

	}

	@Table("#{T(dev.idspring.autoconfigure.persistence.ForeignEntitiesTests).tenant()}")
	record OfATenant(@Id @GeneratedId Long id) {

	}

	public static String tenant() {
		throw new IllegalStateException("There is no tenant");
	}

}
