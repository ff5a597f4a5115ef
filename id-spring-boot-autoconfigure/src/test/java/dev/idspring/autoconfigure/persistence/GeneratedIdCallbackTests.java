package dev.idspring.autoconfigure.persistence;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

import dev.idspring.IdGenerators;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.testsupport.RequiresSpringBoot;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.PersistenceCreator;
import org.springframework.data.annotation.ReadOnlyProperty;
import org.springframework.data.annotation.Transient;
import org.springframework.data.domain.AbstractAggregateRoot;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.relational.core.sql.SqlIdentifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests that {@link GeneratedIdCallback} sets the missing ids of an entity, in place or
 * in a copy, and ignores plain entities.
 */
class GeneratedIdCallbackTests extends AbstractGeneratedIdCallbackTests {

	@Test
	void mutableEntityIsChangedInPlace() {
		Customer customer = new Customer("Ada");
		assertThat(convert(customer)).isSameAs(customer);
		assertThat(customer.id).isEqualTo(1);
		assertThat(customer.code).isEqualTo("codes-5001");
		assertThat(customer.number).isEqualTo(5002);
		assertThat(customer.name).isEqualTo("Ada");
	}

	@Test
	void assignedIdsAreNotReplaced() {
		Customer customer = new Customer("Ada");
		customer.id = 7L;
		customer.code = "";
		customer.number = -1;
		convert(customer);
		assertThat(customer.id).isEqualTo(7);
		assertThat(customer.code).isEmpty();
		assertThat(customer.number).isEqualTo(-1);
		assertThat(this.ids.drawingThreads()).isEmpty();
		assertThat(this.codes.drawingThreads()).isEmpty();
	}

	@Test
	void assignedZeroInAWrapperIsNotReplaced() {
		Customer customer = new Customer("Ada");
		customer.id = 0L;
		assertThat(convert(customer).id).isZero();
	}

	@Test
	void recordIsCopied() {
		Product product = new Product(0, "Pen", null);
		Product saved = convert(product);
		assertThat(saved).isEqualTo(new Product(1, "Pen", "default-2"));
		assertThat(product.id()).isZero();
	}

	@Test
	void annotationMayBeComposed() {
		assertThat(convert(new Locker(null, "Ada"))).isEqualTo(new Locker(1L, "Ada"));
	}

	@RequiresSpringBoot(version = "4.1", because = "before 4.1, Spring Data does not support transient components")
	@Test
	void transientComponentOfARecordIsDropped() {
		assertThat(convert(new Parcel(null, "fragile"))).isEqualTo(new Parcel(1L, null));
	}

	/**
	 * Spring Data treats 0 as a missing id, and would let the database assign one.
	 */
	@Test
	void generatorDoesNotAssignZero() {
		this.context.getRequiredPersistentEntity(Product.class);
		NumberedGenerator fromZero = new NumberedGenerator("default", 0);
		GeneratedIdCallback callback = new GeneratedIdCallback(() -> new TestGenerators(fromZero),
				() -> List.of(this.context), TestGenerators.NO_CHECK, SqlIdentifier::getReference, () -> null);
		assertThat(((Product) callback.onBeforeConvert(new Product(0, "Pen", "p"))).id()).isEqualTo(1);
	}

	@Test
	void generatorAssignsTheTextFormOfZero() {
		this.context.getRequiredPersistentEntity(Product.class);
		NumberedGenerator fromZero = new NumberedGenerator("default", 0);
		GeneratedIdCallback callback = new GeneratedIdCallback(() -> new TestGenerators(fromZero),
				() -> List.of(this.context), TestGenerators.NO_CHECK, SqlIdentifier::getReference, () -> null);
		assertThat(((Product) callback.onBeforeConvert(new Product(9, "Pen", null))).code()).isEqualTo("default-0");
	}

	@Test
	void idIsSetByAWither() {
		WithWither entity = new WithWither(null, "kept");
		WithWither saved = convert(entity);
		assertThat(saved.id).isEqualTo(1);
		assertThat(saved.note).isEqualTo("kept by the wither");
		assertThat(entity.id).isNull();
	}

	@Test
	void copyHasAllPersistentPropertiesAndNoTransientState() {
		Account account = new Account(null, "Ada");
		account.balance = 12;
		account.session = "transient";
		account.openedBy = "read only";
		account.setAudit("of the superclass");
		account.registered("opened");
		Account saved = convert(account);
		assertThat(saved).isNotSameAs(account);
		assertThat(saved.id).isEqualTo(1);
		assertThat(saved.owner).isEqualTo("Ada");
		assertThat(saved.balance).isEqualTo(12);
		assertThat(saved.session).isNull();
		assertThat(saved.openedBy).isEqualTo("read only");
		assertThat(saved.getAudit()).isEqualTo("of the superclass");
		assertThat(saved.events()).isEmpty();
		assertThat(account.id).isNull();
	}

	@Test
	void doesNotChangeADerivedValue() {
		Badge badge = new Badge(null, "Ada");
		badge.visits = 3;
		Badge saved = convert(badge);
		assertThat(saved.id).isEqualTo(1);
		assertThat(saved.label).isEqualTo("Ada#null");
		assertThat(saved.visits).isEqualTo(3);
	}

	@Test
	void saveFailsIfTheCopyWouldLoseAPersistentProperty() {
		assertThatIllegalStateException().isThrownBy(() -> convert(new Shortened(null, "a", "b")))
			.withMessageContaining("Cannot set property second");
		assertThat(convert(new Shortened(null, "a", "none"))).isEqualTo(new Shortened(2L, "a", "none"));
	}

	@Test
	void constructorParameterThatIsNotAPropertyIsRejected() {
		assertThatIllegalStateException().isThrownBy(() -> convert(new Renamed(null, "Ada")))
			.withMessageContaining("property label");
	}

	@Test
	void propertiesOfTheSuperclassGetIds() {
		assertThat(convert(new Invoice()).getId()).isEqualTo(1);
	}

	@Test
	void propertiesWithAnnotatedGettersOrMetaAnnotationsGetIds() {
		assertThat(convert(new WithComposedAnnotation()).id).isEqualTo("codes-5001");
		assertThat(convert(new OnGetter()).getId()).isEqualTo(1);
	}

	@Test
	void ignoresAnEntityWithoutTheAnnotation() {
		Plain plain = new Plain();
		assertThat(convert(plain)).isSameAs(plain);
		assertThat(plain.id).isNull();
	}

	@Test
	void doesNotLookUpGeneratorsForPlainEntities() {
		Supplier<IdGenerators> ids = () -> {
			throw new IllegalStateException("too early");
		};
		GeneratedIdCallback callback = new GeneratedIdCallback(ids, () -> List.of(this.context),
				TestGenerators.NO_CHECK, SqlIdentifier::getReference, () -> null);
		this.context.getRequiredPersistentEntity(Plain.class);
		callback.check();
		assertThat(callback.onBeforeConvert(new Plain())).isNotNull();
	}

	@Test
	void usesTheMappingContextThatKnowsTheType() {
		JdbcMappingContext emptyContext = new JdbcMappingContext();
		GeneratedIdCallback callback = new GeneratedIdCallback(() -> new TestGenerators(this.ids, this.codes),
				() -> List.of(emptyContext, this.context), TestGenerators.NO_CHECK, SqlIdentifier::getReference,
				() -> null);
		this.context.getRequiredPersistentEntity(Customer.class);
		assertThat(((Customer) callback.onBeforeConvert(new Customer("Ada"))).id).isEqualTo(1);
		assertThat(emptyContext.getPersistentEntities()).isEmpty();
	}

	static class Customer {

		@Id
		@GeneratedId
		@Nullable Long id;

		@GeneratedId("codes")
		@Nullable String code;

		@GeneratedId("codes")
		long number;

		String name;

		Customer(String name) {
			this.name = name;
		}

	}

	record Product(@Id @GeneratedId long id, String name, @GeneratedId @Nullable String code) {

	}

	@GeneratedId
	@Retention(RetentionPolicy.RUNTIME)
	@interface LockerId {

	}

	record Locker(@Id @LockerId @Nullable Long id, String owner) {

	}

	record Parcel(@Id @GeneratedId @Nullable Long id, @Transient @Nullable String mark) {

	}

	static final class WithWither {

		@Id
		@GeneratedId
		final @Nullable Long id;

		final String note;

		WithWither(@Nullable Long id, String note) {
			this.id = id;
			this.note = note;
		}

		WithWither withId(Long id) {
			return new WithWither(id, this.note + " by the wither");
		}

	}

	static class Audited extends AbstractAggregateRoot<Account> {

		private @Nullable String audit;

		@Nullable String getAudit() {
			return this.audit;
		}

		void setAudit(String audit) {
			this.audit = audit;
		}

	}

	static final class Account extends Audited {

		@Id
		@GeneratedId
		final @Nullable Long id;

		final String owner;

		int balance;

		@Transient
		@Nullable String session;

		@ReadOnlyProperty
		@Nullable String openedBy;

		Account(@Nullable Long id, String owner) {
			this.id = id;
			this.owner = owner;
		}

		void registered(Object event) {
			registerEvent(event);
		}

		Collection<Object> events() {
			return domainEvents();
		}

	}

	static class Badge {

		@Id
		@GeneratedId
		final @Nullable Long id;

		final String owner;

		String label;

		int visits;

		Badge(@Nullable Long id, String owner) {
			this.id = id;
			this.owner = owner;
			this.label = owner + "#" + id;
		}

	}

	record Shortened(@Id @GeneratedId @Nullable Long id, String first, String second) {

		@PersistenceCreator
		Shortened(@Nullable Long id, String first) {
			this(id, first, "none");
		}

	}

	static final class Renamed {

		@Id
		@GeneratedId
		final @Nullable Long id;

		final String name;

		Renamed(@Nullable Long id, String label) {
			this.id = id;
			this.name = label;
		}

	}

	abstract static class Document {

		@Id
		@GeneratedId
		private @Nullable Long id;

		@Nullable Long getId() {
			return this.id;
		}

	}

	static class Invoice extends Document {

	}

	@GeneratedId("codes")
	@Retention(RetentionPolicy.RUNTIME)
	@interface Code {

	}

	static class WithComposedAnnotation {

		@Id
		@Code
		@Nullable String id;

	}

	static class OnGetter {

		private long id;

		@Id
		@GeneratedId
		public long getId() {
			return this.id;
		}

		public void setId(long id) {
			this.id = id;
		}

	}

	static class Plain {

		@Id
		@Nullable Long id;

		List<String> texts = List.of("a");

	}

}
