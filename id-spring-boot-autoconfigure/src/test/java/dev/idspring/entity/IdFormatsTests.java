package dev.idspring.entity;

import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link IdFormats}.
 */
class IdFormatsTests {

	private static final long ID = 839_299_365_868_340_223L;

	private static final EntityTables TABLES = new EntityTables() {

		@Override
		public @Nullable String tableOf(Class<?> entity) {
			return (entity == Parcel.class) ? "PARCELS" : null;
		}

		@Override
		public @Nullable String tableOfId(Class<?> entity) {
			return (entity == Parcel.class) ? "orders" : null;
		}

	};

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
		.withPropertyValues("ids.store=memory");

	@Test
	void numbersHaveTheTextOfTheGenerator() {
		run((texts, orders) -> {
			IdFormat number = texts.of(place(Examples.class, "number"), long.class);
			assertThat(number.format(ID)).isEqualTo("ZZZZZZZZZZ").isEqualTo(orders.format(ID));
			assertThat(number.parse("ZZZZZZZZZZ")).isEqualTo(ID);
			assertThat(number.generatorName()).isEqualTo("orders");
		});
	}

	@Test
	void textsAreWrittenAsTheyAreAndCheckedWhenRead() {
		run((texts, orders) -> {
			IdFormat text = texts.of(place(Examples.class, "number"), String.class);
			assertThat(text.format("anything")).isEqualTo("anything");
			assertThat(text.parse("ZZZZZZZZZZ")).isEqualTo("ZZZZZZZZZZ");
			assertThatIllegalArgumentException().isThrownBy(() -> text.parse("anything"));
		});
	}

	@Test
	void typesOfOneValueAreIds() {
		run((texts, orders) -> {
			assertThat(text(texts, OrderId.class).parse("ZZZZZZZZZZ")).isEqualTo(new OrderId(ID));
			assertThat(text(texts, OrderId.class).format(new OrderId(ID))).isEqualTo("ZZZZZZZZZZ");
			assertThat(text(texts, OrderCode.class).parse("0000000001")).isEqualTo(new OrderCode("0000000001"));
			assertThat(text(texts, OrderKey.class).format(new OrderKey(ID))).isEqualTo("ZZZZZZZZZZ");
			assertThat(text(texts, OrderKey.class).parse("ZZZZZZZZZZ")).hasToString("OrderKey 839299365868340223");
			assertThat(texts.ofType(Long.class)).isNull();
		});
	}

	@Test
	void placesSayWhoseIdsTypesOfOthersAre() {
		run((texts, orders) -> assertThat(texts.of(place(Examples.class, "foreign"), Foreign.class).parse("ZZZZZZZZZZ"))
			.isEqualTo(new Foreign(ID)));
	}

	@Test
	void whatATypeRefusesIsRefused() {
		run((texts, orders) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> text(texts, OrderId.class).parse("0000000000"))
			.withMessage("no order has the id 0"));
	}

	@Test
	void typesWithoutAnIdHaveNoText() {
		run((texts, orders) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> text(texts, OrderCode.class).format(new OrderCode(null)))
			.withMessageContaining("OrderCode holds no id"));
	}

	@ParameterizedTest
	@ValueSource(classes = { int.class, double.class, Object.class, List.class, Number.class, AtomicLong.class,
			Date.class, Pair.class, Wrong.class, TwoWays.class, NoWayBack.class, TwoWaysBack.class })
	void otherTypesAreRefused(Class<?> type) {
		run((texts, orders) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> texts.of(place(Examples.class, "number"), type))
			.withMessageContaining("Examples.number is of type " + type.getTypeName())
			.withMessageContaining("a long, a Long, a String, or a type of one such value"));
	}

	@Test
	void unknownGeneratorsAreRefused() {
		run((texts, orders) -> {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> texts.of(place(Examples.class, "unknown"), long.class))
				.withMessageContaining("Examples.unknown: There is no id generator 'nope'; known are [default, orders");
			assertThatIllegalArgumentException().isThrownBy(() -> texts.ofType(UnknownId.class))
				.withMessageContaining("UnknownId")
				.withMessageContaining("'nope'");
		});
	}

	@Test
	void placesAndTypesMustNotDisagree() {
		run((texts, orders) -> {
			assertThat(texts.of(place(Examples.class, "unnamed"), OrderId.class).generatorName()).isEqualTo("orders");
			assertThat(texts.of(place(Examples.class, "number"), OrderId.class).generatorName()).isEqualTo("orders");
			assertThatIllegalArgumentException()
				.isThrownBy(() -> texts.of(place(Examples.class, "parcel"), OrderId.class))
				.withMessageContaining("names the generator 'parcels'")
				.withMessageContaining("is an id of 'orders'");
		});
	}

	@Test
	void withoutANameItIsTheDefaultGenerator() {
		run((texts, orders) -> assertThat(texts.of(place(Examples.class, "unnamed"), long.class).generatorName())
			.isEqualTo("default"));
	}

	@Test
	void besideGeneratedIdItIsTheSameGenerator() {
		run((texts, orders) -> {
			assertThat(texts.of(place(Parcel.class, "named"), long.class).generatorName()).isEqualTo("orders");
			assertThat(texts.of(place(Parcel.class, "byTable"), long.class).generatorName()).isEqualTo("parcels");
			assertThat(texts.of(place(Parcel.class, "both"), long.class).generatorName()).isEqualTo("orders");
			assertThat(texts.of(place(Parcel.class, "composed"), long.class).generatorName()).isEqualTo("orders");
			assertThat(texts.ofEntity(Parcel.class, "", long.class, "id").generatorName()).isEqualTo("orders");
			assertThat(texts.ofEntity(Parcel.class, "parcels", long.class, "id").generatorName()).isEqualTo("parcels");
		});
	}

	@Test
	void tableThatCannotBeToldIsNotGuessed() {
		run((texts, orders) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> texts.of(place(Examples.class, "generated"), long.class))
			.withMessageContaining("name the generator"));
		this.contextRunner.run((context) -> assertThat(
				texts(context).of(place(Examples.class, "generated"), long.class).generatorName())
			.isEqualTo("default"));
	}

	@Test
	void errorsOfTypesAreNotSwallowed() {
		run((texts, orders) -> assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> text(texts, Failing.class).parse("ZZZZZZZZZZ")));
	}

	private void run(Consumer consumer) {
		ContextConsumer<AssertableApplicationContext> test = (context) -> consumer.accept(texts(context),
				context.getBean(IdGenerators.class).get("orders"));
		this.contextRunner
			.withPropertyValues("ids.generators.orders.coprime.length=10", "ids.generators.parcels.strategy=sequential")
			.run(test);
	}

	private static IdFormats texts(AssertableApplicationContext context) {
		return new IdFormats(() -> context.getBean(EntityIds.class), List.of(TABLES));
	}

	private static IdFormat text(IdFormats texts, Class<?> type) {
		IdFormat text = texts.ofType(type);
		assertThat(text).isNotNull();
		return text;
	}

	private static IdLocation place(Class<?> owner, String name) {
		try {
			Field field = owner.getDeclaredField(name);
			List<Annotation> annotations = Arrays.asList(field.getAnnotations());
			return new IdLocation(field.getAnnotation(IdAsString.class), annotations, owner,
					owner.getSimpleName() + "." + name);
		}
		catch (NoSuchFieldException ex) {
			throw new IllegalStateException(ex);
		}
	}

	interface Consumer {

		void accept(IdFormats texts, IdGenerator orders);

	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface GeneratedId {

		String value() default "";

	}

	@Retention(RetentionPolicy.RUNTIME)
	@GeneratedId("orders")
	@interface OrderNumber {

	}

	static class Examples {

		@IdAsString("orders")
		long number;

		@IdAsString("orders")
		Foreign foreign = new Foreign(1);

		@IdAsString("nope")
		long unknown;

		@IdAsString
		long unnamed;

		@IdAsString("parcels")
		long parcel;

		@GeneratedId
		@IdAsString
		long generated;

	}

	static class Parcel {

		@GeneratedId("orders")
		@IdAsString
		long named;

		@GeneratedId
		@IdAsString
		long byTable;

		@GeneratedId("parcels")
		@IdAsString("orders")
		long both;

		@OrderNumber
		@IdAsString
		long composed;

	}

	@IdAsString("orders")
	record OrderId(long value) {

		OrderId {
			if (value == 0) {
				throw new IllegalArgumentException("no order has the id 0");
			}
		}

		OrderId(String text) {
			this(Long.parseLong(text));
		}

	}

	@IdAsString("orders")
	record OrderCode(@Nullable String code) {

	}

	@IdAsString("orders")
	static final class OrderKey {

		private final Long key;

		private OrderKey() {
			this(1L);
		}

		private OrderKey(Long key) {
			this.key = key;
		}

		Long getKey() {
			return this.key;
		}

		@Override
		public String toString() {
			return "OrderKey " + this.key;
		}

	}

	@IdAsString("orders")
	record Failing(long value) {

		Failing {
			throw new AssertionError();
		}

	}

	@IdAsString("nope")
	record UnknownId(long value) {

	}

	record Foreign(long id) {

	}

	record Pair(long left, long right) {

	}

	record Wrong(int value) {

	}

	static class TwoWays {

		TwoWays(long value) {
		}

		TwoWays(String value) {
		}

	}

	static class NoWayBack {

		NoWayBack(long value) {
		}

		Map<String, Long> values() {
			return Map.of();
		}

	}

	static class TwoWaysBack {

		TwoWaysBack(long value) {
		}

		long value() {
			return 1;
		}

		long another() {
			return 2;
		}

	}

}
