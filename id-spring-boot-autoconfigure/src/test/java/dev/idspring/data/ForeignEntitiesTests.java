package dev.idspring.data;

import java.util.List;
import java.util.Map;

import dev.idspring.IdSetupException;
import dev.idspring.entity.EntityIds;
import org.junit.jupiter.api.Test;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.relational.core.mapping.NamingStrategy;
import org.springframework.data.relational.core.mapping.Table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Entities that are none of our business, in applications that are not set up as most
 * are.
 */
class ForeignEntitiesTests {

	private final NumberedGenerator ids = new NumberedGenerator("default", 1);

	private final NumberedGenerator archived = new NumberedGenerator("archived_own", 1001);

	private GeneratedIdCallback callback(JdbcMappingContext... contexts) {
		return new GeneratedIdCallback(() -> new EntityIds(new TestGenerators(this.ids)), () -> List.of(contexts));
	}

	private GeneratedIdCallback callbackWithArchive(JdbcMappingContext... contexts) {
		return new GeneratedIdCallback(() -> new EntityIds(new TestGenerators(this.ids, this.archived)),
				() -> List.of(contexts));
	}

	private static JdbcMappingContext archive() {
		return new JdbcMappingContext(new NamingStrategy() {

			@Override
			public String getTableName(Class<?> type) {
				return "archived_" + NamingStrategy.super.getTableName(type);
			}

		});
	}

	@Test
	void entityOfATemplateWhoseContextIsNoBeanIsLeftAlone() {
		Plain plain = new Plain(null, List.of(new Part("pen")), Map.of("a", new Part[0]));
		assertThat(callback().onBeforeConvert(plain)).isSameAs(plain);
		JdbcMappingContext other = new JdbcMappingContext();
		assertThat(callback(other).onBeforeConvert(plain)).isSameAs(plain);
		assertThat(other.getPersistentEntities()).isEmpty();
	}

	@Test
	void entityOfSuchATemplateThatWantsIdsIsRefused() {
		List<Object> wanting = List.of(new Own(null), new InList(1L, List.of()), new InMap(1L, Map.of()),
				new InArray(1L, new Own[0][0]), new Below());
		for (Object entity : wanting) {
			assertThatExceptionOfType(IdSetupException.class).as("%s", entity)
				.isThrownBy(() -> callback(new JdbcMappingContext()).onBeforeConvert(entity))
				.withMessageContaining(entity.getClass().getName());
		}
	}

	@Test
	void entitiesThatReferToThemselvesAreLeftAlone() {
		Self self = new Self(null, null, List.of());
		assertThat(callback().onBeforeConvert(self)).isSameAs(self);
		JdbcMappingContext context = new JdbcMappingContext();
		context.getRequiredPersistentEntity(Self.class);
		GeneratedIdCallback callback = callback(context);
		callback.check();
		assertThat(callback.onBeforeConvert(self)).isSameAs(self);
	}

	@Test
	void annotationsOnMethodsAndBeyondOtherTypesAreFound() {
		for (Object entity : List.of(new OnGetter(), new Chained(1L, null))) {
			assertThatExceptionOfType(IdSetupException.class).as("%s", entity)
				.isThrownBy(() -> callback(new JdbcMappingContext()).onBeforeConvert(entity))
				.withMessageContaining(entity.getClass().getName());
		}
	}

	@Test
	void contextsMayShareATypeWhoseIdsComeFromTheSameGenerator() {
		JdbcMappingContext one = new JdbcMappingContext();
		JdbcMappingContext two = archive();
		for (JdbcMappingContext context : List.of(one, two)) {
			context.getRequiredPersistentEntity(Own.class);
			context.getRequiredPersistentEntity(NamedChild.class);
		}
		GeneratedIdCallback callback = callback(one, two);
		callback.check();
		assertThat(callback.onBeforeConvert(new Own(null))).isEqualTo(new Own(1L));
		assertThat(callbackWithArchive(one, two).onBeforeConvert(new NamedChild(null))).isEqualTo(new NamedChild(2L));
	}

	/**
	 * Which of two templates saves cannot be told.
	 */
	@Test
	void typeWhoseIdsComeFromDifferentGeneratorsInSeveralContextsIsRefused() {
		for (Class<?> type : List.of(Own.class, InList.class)) {
			JdbcMappingContext one = new JdbcMappingContext();
			JdbcMappingContext two = archive();
			one.getRequiredPersistentEntity(type);
			two.getRequiredPersistentEntity(type);
			assertThatExceptionOfType(IdSetupException.class).isThrownBy(callbackWithArchive(one, two)::check)
				.withMessageContaining("known to several mapping contexts")
				.withMessageContaining("'id' of " + Own.class.getName() + " from 'default'")
				.withMessageContaining("'id' of " + Own.class.getName() + " from 'archived_own'")
				.withMessageContaining("@GeneratedId(\"orders\")");
		}
	}

	@Test
	void typeThatAnotherContextComesToKnowLaterIsLookedAtAgain() {
		JdbcMappingContext one = new JdbcMappingContext();
		JdbcMappingContext two = archive();
		one.getRequiredPersistentEntity(Own.class);
		GeneratedIdCallback callback = callbackWithArchive(one, two);
		callback.check();
		assertThat(callback.onBeforeConvert(new Own(null))).isEqualTo(new Own(1L));
		two.getRequiredPersistentEntity(Own.class);
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> callback.onBeforeConvert(new Own(null)))
			.withMessageContaining("known to several mapping contexts");
	}

	@Test
	void tableThatOneOfTheContextsCannotTellYetDoesNotStopTheStart() {
		JdbcMappingContext one = new JdbcMappingContext();
		JdbcMappingContext two = new JdbcMappingContext(new NamingStrategy() {

			@Override
			public String getTableName(Class<?> type) {
				throw new IllegalStateException("There is no tenant");
			}

		});
		one.getRequiredPersistentEntity(Own.class);
		two.getRequiredPersistentEntity(Own.class);
		callbackWithArchive(one, two).check();
	}

	@Test
	void nameOfATableThatCannotBeToldYetDoesNotStopTheStart() {
		JdbcMappingContext context = new JdbcMappingContext();
		context.getRequiredPersistentEntity(OfATenant.class);
		context.getRequiredPersistentEntity(PlainOfATenant.class);
		GeneratedIdCallback callback = callback(context);
		callback.check();
		PlainOfATenant plain = new PlainOfATenant(null);
		assertThat(callback.onBeforeConvert(plain)).isSameAs(plain);
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> callback.onBeforeConvert(new OfATenant(null)));
	}

	@Test
	void nameOfATableThatCannotBeToldDoesNotMatterIfTheGeneratorIsNamed() {
		JdbcMappingContext context = new JdbcMappingContext();
		context.getRequiredPersistentEntity(NamedOfATenant.class);
		assertThat(callback(context).onBeforeConvert(new NamedOfATenant(null))).isEqualTo(new NamedOfATenant(1L));
	}

	record Plain(@Id Long id, List<Part> parts, Map<String, Part[]> more) {

	}

	record Part(String name) {

	}

	record Own(@Id @GeneratedId Long id) {

	}

	record InList(@Id Long id, List<Own> all) {

	}

	record InMap(@Id Long id, Map<String, List<Own>> all) {

	}

	record InArray(@Id Long id, Own[][] all) {

	}

	record Self(@Id Long id, Self next, List<Self> all) {

	}

	record NamedChild(@Id @GeneratedId("default") Long id) {

	}

	record Chained(@Id Long id, Link first) {

	}

	record Link(Link next, Own own) {

	}

	static class OnGetter {

		private Long id;

		@Id
		@GeneratedId
		public Long getId() {
			return this.id;
		}

	}

	static class Above {

		@Id
		@GeneratedId
		Long id;

	}

	static class Below extends Above {

	}

	@Table("#{T(dev.idspring.data.ForeignEntitiesTests).tenant()}")
	record OfATenant(@Id @GeneratedId Long id) {

	}

	@Table("#{T(dev.idspring.data.ForeignEntitiesTests).tenant()}")
	record PlainOfATenant(@Id Long id) {

	}

	@Table("#{T(dev.idspring.data.ForeignEntitiesTests).tenant()}")
	record NamedOfATenant(@Id @GeneratedId("default") Long id) {

	}

	public static String tenant() {
		throw new IllegalStateException("There is no tenant");
	}

}
