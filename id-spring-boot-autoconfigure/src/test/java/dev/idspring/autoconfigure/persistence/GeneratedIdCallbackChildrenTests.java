package dev.idspring.autoconfigure.persistence;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.cglib.proxy.Enhancer;
import org.springframework.cglib.proxy.NoOp;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.PersistenceCreator;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.Table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests that {@link GeneratedIdCallback} sets the ids of an entity's children and of its
 * embedded entities.
 */
class GeneratedIdCallbackChildrenTests extends AbstractGeneratedIdCallbackTests {

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

}
