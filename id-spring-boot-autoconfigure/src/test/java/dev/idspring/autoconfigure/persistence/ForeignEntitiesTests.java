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
 * Tests for entities without {@code @GeneratedId}, and for unusual mapping contexts.
 */
class ForeignEntitiesTests {

	private final NumberedGenerator ids = new NumberedGenerator("default", 1);

	private GeneratedIdCallback callback(JdbcMappingContext... contexts) {
		return new GeneratedIdCallback(() -> new TestGenerators(this.ids), () -> List.of(contexts),
				TestGenerators.NO_CHECK, SqlIdentifier::getReference, () -> null);
	}

	@Test
	void ignoresAPlainEntityWhoseMappingContextIsNotABean() {
		Plain plain = new Plain(null, List.of(new Part("pen")), Map.of("a", new Part[0]));
		assertThat(callback().onBeforeConvert(plain)).isSameAs(plain);
		assertThat(callback(new JdbcMappingContext()).onBeforeConvert(plain)).isSameAs(plain);
	}

	@Test
	void entityGetsAnIdWhenItsMappingContextIsNotABean() {
		assertThat(callback(new JdbcMappingContext()).onBeforeConvert(new WithGeneratedId(null)))
			.isEqualTo(new WithGeneratedId(1L));
	}

	@Test
	void supportsATypeInSeveralMappingContexts() {
		JdbcMappingContext first = new JdbcMappingContext();
		JdbcMappingContext second = new JdbcMappingContext();
		for (JdbcMappingContext context : List.of(first, second)) {
			context.getRequiredPersistentEntity(WithGeneratedId.class);
		}
		GeneratedIdCallback callback = callback(first, second);
		callback.check();
		assertThat(callback.onBeforeConvert(new WithGeneratedId(null))).isEqualTo(new WithGeneratedId(1L));
	}

	/**
	 * The name of a table may be an expression that can be evaluated only during a
	 * request.
	 */
	@Test
	void doesNotEvaluateTheNameOfTheTable() {
		JdbcMappingContext context = new JdbcMappingContext();
		context.getRequiredPersistentEntity(InTableOfTenant.class);
		GeneratedIdCallback callback = callback(context);
		callback.check();
		assertThat(callback.onBeforeConvert(new InTableOfTenant(null))).isEqualTo(new InTableOfTenant(1L));
	}

	@Test
	void doesNotCallTheNamingStrategy() {
		JdbcMappingContext context = new JdbcMappingContext(new NamingStrategy() {

			@Override
			public String getSchema() {
				return tenant();
			}

		});
		context.getRequiredPersistentEntity(WithGeneratedId.class);
		GeneratedIdCallback callback = callback(context);
		callback.check();
		assertThat(callback.onBeforeConvert(new WithGeneratedId(null))).isEqualTo(new WithGeneratedId(1L));
	}

	@Test
	void ignoresCyclicPlainEntities() {
		Cyclic cyclic = new Cyclic(null, null, List.of());
		assertThat(callback().onBeforeConvert(cyclic)).isSameAs(cyclic);
		JdbcMappingContext context = new JdbcMappingContext();
		context.getRequiredPersistentEntity(Cyclic.class);
		GeneratedIdCallback callback = callback(context);
		callback.check();
		assertThat(callback.onBeforeConvert(cyclic)).isSameAs(cyclic);
	}

	record Plain(@Id Long id, List<Part> parts, Map<String, Part[]> more) {

	}

	record Part(String name) {

	}

	record WithGeneratedId(@Id @GeneratedId Long id) {

	}

	record Cyclic(@Id Long id, Cyclic next, List<Cyclic> all) {

	}

	@Table("#{T(dev.idspring.autoconfigure.persistence.ForeignEntitiesTests).tenant()}")
	record InTableOfTenant(@Id @GeneratedId Long id) {

	}

	public static String tenant() {
		throw new IllegalStateException("There is no tenant");
	}

}
