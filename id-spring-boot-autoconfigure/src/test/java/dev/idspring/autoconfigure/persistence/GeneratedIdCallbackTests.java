package dev.idspring.autoconfigure.persistence;

import org.springframework.data.annotation.Version;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.ParameterizedTest;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.testsupport.RequiresSpringBoot;
import org.jspecify.annotations.Nullable;
import jakarta.persistence.GeneratedValue;
import org.junit.jupiter.api.Test;
import org.springframework.cglib.proxy.Enhancer;
import org.springframework.cglib.proxy.NoOp;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.PersistenceCreator;
import org.springframework.data.annotation.ReadOnlyProperty;
import org.springframework.data.annotation.Transient;
import org.springframework.data.domain.AbstractAggregateRoot;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.relational.core.mapping.Sequence;
import org.springframework.data.relational.core.sql.SqlIdentifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link GeneratedIdCallback} with all kinds of entities, without a database.
 */
class GeneratedIdCallbackTests {

	private final NumberedGenerator ids = new NumberedGenerator("default", 1);

	private final NumberedGenerator codes = new NumberedGenerator("codes", 5001);

	private final JdbcMappingContext context = new JdbcMappingContext();

	private final GeneratedIdCallback callback = new GeneratedIdCallback(() -> new TestGenerators(this.ids, this.codes),
			() -> List.of(this.context), TestGenerators.NO_CHECK, SqlIdentifier::getReference, () -> null);

	@SuppressWarnings("unchecked")
	private <T> T convert(T aggregate) {
		// Spring Data's templates register the entity in the mapping context before they
		// call callbacks
		this.context.getRequiredPersistentEntity(aggregate.getClass());
		return (T) this.callback.onBeforeConvert(aggregate);
	}

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
	void childrenGetIds() {
		Order order = new Order();
		order.address = new Address("here");
		order.lines = List.of(new Line("a", new Note("na")), new Line("b", null));
		order.tags = new LinkedHashSet<>(List.of(new Tag(null, "x"), new Tag(7L, "given")));
		order.prices = new LinkedHashMap<>(Map.of("EUR", new Price(null, 5)));
		order.photos = new Photo[] { new Photo(null), new Photo(3L) };
		assertThat(convert(order)).isSameAs(order);
		assertThat(order.id).isEqualTo(1);
		assertThat(order.address.id).isEqualTo(2);
		assertThat(order.lines).extracting((line) -> line.id).containsExactly(3L, 5L);
		assertThat(order.lines.get(0).note.id).isEqualTo("default-4");
		assertThat(order.tags).containsExactly(new Tag(6L, "x"), new Tag(7L, "given"));
		assertThat(order.prices).containsExactly(Map.entry("EUR", new Price(7L, 5)));
		assertThat(order.photos).containsExactly(new Photo(8L), new Photo(3L));
	}

	/**
	 * Spring Data inserts a child of a subtype as an entity of that subtype.
	 */
	@Test
	void childrenOfASubtypeGetTheIdsOfTheSubtype() {
		Drawing drawing = new Drawing();
		drawing.shapes = List.of(new Shape(null), new Circle(null, null, 5), new Square(null));
		convert(drawing);
		assertThat(drawing.shapes).hasExactlyElementsOfTypes(Shape.class, Circle.class, Square.class);
		assertThat(drawing.shapes).extracting((shape) -> shape.id).containsExactly(2L, 3L, 4L);
		Circle circle = (Circle) drawing.shapes.get(1);
		assertThat(circle.code).isEqualTo("codes-5001");
		assertThat(circle.radius).isEqualTo(5);
	}

	@Test
	void embeddedEntityOfASubtypeGetsAnId() {
		Stamped stamped = new Stamped();
		stamped.mark = new Stamp();
		convert(stamped);
		assertThat(stamped.mark.code).isEqualTo("default-1");
	}

	@Test
	void proxiesGetTheIdsOfTheirEntityType() {
		Folder folder = proxy(Folder.class);
		Ticket ticket = proxy(Ticket.class);
		ticket.note = "kept";
		folder.tickets = List.of(ticket);
		assertThat(convert(folder)).isSameAs(folder);
		assertThat(folder.id).isEqualTo(1);
		assertThat(folder.tickets).singleElement().isExactlyInstanceOf(Ticket.class).satisfies((saved) -> {
			assertThat(saved.id).isEqualTo(2);
			assertThat(saved.note).isEqualTo("kept");
		});
	}

	private static <T> T proxy(Class<T> type) {
		Enhancer enhancer = new Enhancer();
		enhancer.setSuperclass(type);
		enhancer.setCallback(NoOp.INSTANCE);
		T proxy = type.cast(enhancer.create());
		assertThat(proxy.getClass()).isNotEqualTo(type);
		return proxy;
	}

	@Test
	void childrenOfRecordsGetIds() {
		Line line = new Line("a", null);
		Basket basket = new Basket(null, List.of(new Tag(null, "x")), Set.of(), line);
		Basket saved = convert(basket);
		assertThat(saved).isEqualTo(new Basket(1L, List.of(new Tag(2L, "x")), Set.of(), line));
		assertThat(line.id).isEqualTo(3);
	}

	@Test
	void childrenInAFinalCollectionGetIdsInPlace() {
		Cart cart = new Cart();
		Note note = new Note("x");
		cart.notes.add(note);
		assertThat(convert(cart).notes).containsExactly(note);
		assertThat(note.id).isEqualTo("default-2");
	}

	@Test
	void springDataRejectsAFinalCollectionOfImmutableChildren() {
		Cart cart = new Cart();
		cart.items.add(new Tag(null, "x"));
		assertThatIllegalStateException().isThrownBy(() -> convert(cart))
			.withMessageContaining("Cannot set property items");
	}

	@Test
	void collectionThatCannotBeCopiedIsRejected() {
		Crate crate = new Crate();
		crate.items = new ArrayListOfTags();
		crate.items.add(new Tag(null, "x"));
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> convert(crate))
			.withMessageContaining(Crate.class.getName() + ".items")
			.withMessageContaining(ArrayListOfTags.class.getName());
	}

	/**
	 * The hash code of the child depends on its id, so the set must be rebuilt.
	 */
	@Test
	void setOfMutableChildrenStillContainsAChildThatGetsAnId() {
		Bag bag = new Bag();
		HashedById child = new HashedById();
		bag.items.add(child);
		convert(bag);
		assertThat(child.id).isEqualTo(2);
		assertThat(bag.items.contains(child)).isTrue();
	}

	@Test
	void collectionStillContainsDuplicates() {
		Pile pile = new Pile();
		pile.items = new LinkedHashMap<>(Map.of(1, new Tag(3L, "a"), 2, new Tag(3L, "a"))).values();
		assertThat(convert(pile).items).hasSize(2);
		pile.items = new LinkedHashMap<>(Map.of(1, new Tag(null, "a"), 2, new Tag(3L, "a"))).values();
		assertThat(convert(pile).items).hasSize(2).extracting(Tag::id).doesNotContainNull();
	}

	@Test
	void embeddedEntitiesGetIds() {
		Line line = new Line("a", null);
		line.codes = new Codes(null, new Inner(null));
		convert(line);
		assertThat(line.id).isEqualTo(1);
		assertThat(line.codes).isEqualTo(new Codes("default-2", new Inner(3L)));
	}

	@Test
	void cyclicEntitiesGetIds() {
		Node node = new Node();
		node.next = new Node();
		node.next.next = node;
		convert(node);
		assertThat(node.id).isEqualTo(1);
		assertThat(node.next.id).isEqualTo(2);
	}

	@Test
	void checkTerminatesForCyclicEntities() {
		this.context.getRequiredPersistentEntity(Node.class);
		this.callback.check();
		assertThat(convert(new Node()).id).isEqualTo(1);
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

	@Test
	void checkFailsForAnUnsupportedType() {
		this.context.getRequiredPersistentEntity(WrongType.class);
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(this.callback::check)
			.withMessageContaining(WrongType.class.getName() + ".id")
			.withMessageContaining("type short");
	}

	@Test
	void checkFailsForAnUnknownGenerator() {
		this.context.getRequiredPersistentEntity(WithUnknownGenerator.class);
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(this.callback::check)
			.withMessageContaining(WithUnknownGenerator.class.getName() + ".id")
			.withMessageContaining("\"absent\"")
			.withMessageContaining("known: default, codes");
	}

	@Test
	void checkFailsForAnUnknownGeneratorOfAChild() {
		this.context.getRequiredPersistentEntity(ParentOfUnknownGenerator.class);
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(this.callback::check)
			.withMessageContaining(ChildWithUnknownGenerator.class.getName() + ".code");
	}

	@Test
	void checkFailsForAnIdThatCannotBeSet() {
		this.context.getRequiredPersistentEntity(Unsettable.class);
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(this.callback::check)
			.withMessageContaining(Unsettable.class.getName() + ".id")
			.withMessageContaining("withId(…)");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"OnVersionProperty | .version is annotated with @GeneratedId but is also annotated with @Version",
			"WithGeneratedValue | .id is annotated with @GeneratedId and with @GeneratedValue",
			"WithGeneratedValueOnGetter | .id is annotated with @GeneratedId and with @GeneratedValue",
			"WithSequence | .id is annotated with @GeneratedId and with @Sequence",
			"OnReadOnlyProperty | .code is annotated with @GeneratedId but is also annotated with @ReadOnlyProperty",
			"OnTransientProperty | .code is annotated with @GeneratedId, but the persistence library does not read the annotation",
			"OnStaticField | .code is annotated with @GeneratedId, but the persistence library does not read the annotation" })
	void checkFailsForAnIdThatWouldNotBeInserted(String type, String message) throws Exception {
		Class<?> entity = Class.forName(getClass().getName() + "$" + type);
		this.context.getRequiredPersistentEntity(entity);
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(this.callback::check)
			.withMessageContaining(entity.getName() + message);
	}

	@Test
	void saveFailsForAnUnknownGenerator() {
		assertThatExceptionOfType(IdSetupException.class).isThrownBy(() -> convert(new WithUnknownGenerator()));
	}

	record WithGeneratedValue(@Id @GeneratedId @GeneratedValue Long id) {

	}

	static class WithGeneratedValueOnGetter {

		@Id
		@GeneratedId
		private Long id;

		@GeneratedValue
		public Long getId() {
			return this.id;
		}

		public void setId(Long id) {
			this.id = id;
		}

	}

	record WithSequence(@Id @GeneratedId @Sequence("codes") Long id) {

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
	@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
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

	@Table("orders")
	static class Order {

		@Id
		@GeneratedId
		@Nullable Long id;

		@Nullable Address address;

		List<Line> lines = List.of();

		Set<Tag> tags = Set.of();

		Map<String, Price> prices = Map.of();

		Photo[] photos = {};

	}

	static class Drawing {

		@Id
		@GeneratedId
		@Nullable Long id;

		List<Shape> shapes = List.of();

	}

	static class Shape {

		@Id
		@GeneratedId
		final @Nullable Long id;

		Shape(@Nullable Long id) {
			this.id = id;
		}

	}

	static class Circle extends Shape {

		@GeneratedId("codes")
		final @Nullable String code;

		final int radius;

		Circle(@Nullable Long id, @Nullable String code, int radius) {
			super(id);
			this.code = code;
			this.radius = radius;
		}

	}

	@Table("order_line")
	static class Square extends Shape {

		Square(@Nullable Long id) {
			super(id);
		}

	}

	static class Mark {

		@GeneratedId
		@Nullable String code;

	}

	static class Stamp extends Mark {

	}

	@Table("order_line")
	static class Stamped {

		@Id
		@Nullable Long id;

		@Embedded.Nullable
		@Nullable Mark mark;

	}

	static class Folder {

		@Id
		@GeneratedId
		@Nullable Long id;

		List<Ticket> tickets = List.of();

	}

	static class Ticket {

		@Id
		@GeneratedId
		final @Nullable Long id;

		@Nullable String note;

		Ticket() {
			this(null);
		}

		@PersistenceCreator
		Ticket(@Nullable Long id) {
			this.id = id;
		}

	}

	static class Address {

		@Id
		@GeneratedId
		long id;

		final String street;

		Address(String street) {
			this.street = street;
		}

	}

	@Table("ORDER_LINE")
	static class Line {

		@Id
		@GeneratedId
		@Nullable Long id;

		String text;

		@Nullable Note note;

		@Embedded.Nullable
		@Nullable Codes codes;

		Line(String text, @Nullable Note note) {
			this.text = text;
			this.note = note;
		}

	}

	static class Note {

		@GeneratedId
		@Nullable String id;

		final String text;

		Note(String text) {
			this.text = text;
		}

	}

	record Codes(@GeneratedId @Nullable String code, @Embedded.Nullable Inner inner) {

	}

	record Inner(@GeneratedId @Nullable Long number) {

	}

	record Tag(@Id @GeneratedId @Nullable Long id, String text) {

	}

	record Price(@Id @GeneratedId @Nullable Long id, int amount) {

	}

	record Photo(@Id @GeneratedId @Nullable Long id) {

	}

	record Basket(@Id @GeneratedId @Nullable Long id, List<Tag> tags, Set<Tag> none, Line line) {

	}

	static class Cart {

		@Id
		@GeneratedId
		@Nullable Long id;

		final List<Tag> items = new ArrayList<>();

		final List<Note> notes = new ArrayList<>();

	}

	static class ArrayListOfTags extends ArrayList<Tag> {

		private static final long serialVersionUID = 1L;

	}

	static class Crate {

		@Id
		@GeneratedId
		@Nullable Long id;

		ArrayListOfTags items;

	}

	static class Pile {

		@Id
		@GeneratedId
		@Nullable Long id;

		Collection<Tag> items;

	}

	static class Bag {

		@Id
		@GeneratedId
		@Nullable Long id;

		Set<HashedById> items = new HashSet<>();

	}

	static class HashedById {

		@Id
		@GeneratedId
		@Nullable Long id;

		@Override
		public boolean equals(Object other) {
			return other instanceof HashedById that && Objects.equals(this.id, that.id);
		}

		@Override
		public int hashCode() {
			return Objects.hashCode(this.id);
		}

	}

	static class Node {

		@Id
		@GeneratedId
		@Nullable Long id;

		@Nullable Node next;

	}

	static class Plain {

		@Id
		@Nullable Long id;

		List<String> texts = List.of("a");

	}

	static class WrongType {

		@Id
		@GeneratedId
		short id;

	}

	static class WithUnknownGenerator {

		@Id
		@GeneratedId("absent")
		@Nullable Long id;

	}

	static class ParentOfUnknownGenerator {

		@Id
		@Nullable Long id;

		List<ChildWithUnknownGenerator> children = List.of();

	}

	static class ChildWithUnknownGenerator {

		@GeneratedId("absent")
		@Nullable String code;

	}

	static class OnVersionProperty {

		@Id
		@GeneratedId
		Long id;

		@Version
		@GeneratedId
		Long version;

	}

	static class OnReadOnlyProperty {

		@Id
		@GeneratedId
		Long id;

		@ReadOnlyProperty
		@GeneratedId
		Long code;

	}

	static class OnTransientProperty {

		@Id
		@GeneratedId
		Long id;

		@Transient
		@GeneratedId
		Long code;

	}

	static class OnStaticField {

		@GeneratedId
		static Long code;

		@Id
		@GeneratedId
		Long id;

	}

	static class Unsettable {

		@Id
		@GeneratedId
		final Long id = null;

	}

}
