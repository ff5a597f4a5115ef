package dev.idspring.annotation;

import java.util.List;
import java.util.stream.Stream;

import dev.idspring.testsupport.RequiresSpringBoot;
import jakarta.persistence.Column;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link GeneratedId} on the parts of composite keys of JPA entities.
 */
class GeneratedIdKeyPartTests extends AbstractGeneratedIdTests {

	@Test
	void partOfAnEmbeddedIdIsFilled() {
		run(Stream.of(WithEmbeddedId.class), List.of(), (context) -> {
			WithEmbeddedId entity = new WithEmbeddedId();
			entity.id.tenant = "t";
			assertThat(persist(context, entity).id.number).isEqualTo(1);
			assertThat(find(context, WithEmbeddedId.class, entity.id)).isNotNull();
		});
	}

	@Test
	void partOfAnIdClassIsFilled() {
		run(Stream.of(WithIdClass.class), List.of(), (context) -> {
			WithIdClass entity = new WithIdClass();
			entity.tenant = "t";
			assertThat(persist(context, entity).number).isEqualTo(1);
		});
	}

	@Test
	void singlePartOfAnIdClassIsFilled() {
		run(Stream.of(WithSmallIdClass.class), List.of(),
				(context) -> assertThat(persist(context, new WithSmallIdClass()).number).isEqualTo(1));
	}

	@Test
	@RequiresSpringBoot(version = "4.0", because = "Hibernate 6 reports no columns of key parts")
	void partsOfAKeyNeedNoInsertableColumn() {
		run(Stream.of(NotInsertableKeyPart.class), List.of(), (context) -> {
			NotInsertableKeyPart entity = new NotInsertableKeyPart();
			entity.tenant = "t";
			assertThat(persist(context, entity).number).isEqualTo(1);
			IdClassKey key = new IdClassKey();
			key.tenant = "t";
			key.number = 1L;
			assertThat(find(context, NotInsertableKeyPart.class, key)).isNotNull();
		});
	}

	@Test
	@RequiresSpringBoot(version = "4.0", because = "Hibernate 6 does not initialize the generators of these properties")
	void annotationsOnKeyPartsThatCannotStoreIdsAreRejected() {
		assertStartupFails(OnEmbeddedId.class, OnEmbeddedId.class.getName()
				+ ".id is annotated with @GeneratedId but is an embeddable, a relation or a collection");
		assertStartupFails(OnPartWithGeneratedValue.class, OnPartWithGeneratedValue.class.getName()
				+ ".number is annotated with @GeneratedId and with @GeneratedValue");
	}

	@Entity(name = "WithIdClass")
	@IdClass(IdClassKey.class)
	static class WithIdClass {

		@Id
		String tenant;

		@Id
		@GeneratedId
		Long number;

	}

	static class SmallIdClassKey {

		Long number;

		@Override
		public boolean equals(Object other) {
			return other instanceof SmallIdClassKey key && this.number.equals(key.number);
		}

		@Override
		public int hashCode() {
			return this.number.hashCode();
		}

	}

	@Entity(name = "WithSmallIdClass")
	@IdClass(SmallIdClassKey.class)
	static class WithSmallIdClass {

		@Id
		@GeneratedId
		Long number;

	}

	@Entity(name = "NotInsertableKeyPart")
	@IdClass(IdClassKey.class)
	static class NotInsertableKeyPart {

		@Id
		String tenant;

		@Id
		@GeneratedId
		@Column(insertable = false)
		Long number;

	}

	@Entity(name = "OnEmbeddedId")
	static class OnEmbeddedId {

		@EmbeddedId
		@GeneratedId
		TenantKey id = new TenantKey();

	}

	@Entity(name = "OnPartWithGeneratedValue")
	@IdClass(IdClassKey.class)
	static class OnPartWithGeneratedValue {

		@Id
		String tenant;

		@Id
		@GeneratedId
		@GeneratedValue
		Long number;

	}

}
