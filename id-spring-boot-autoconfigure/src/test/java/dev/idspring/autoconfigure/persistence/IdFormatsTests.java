package dev.idspring.autoconfigure.persistence;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdFormats.IdFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link IdFormats}.
 */
class IdFormatsTests {

	private static final long ID = 839_299_365_868_340_223L;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdsAutoConfiguration.class))
		.withPropertyValues("ids.store=memory");

	@Test
	void numbersAreFormattedByTheGenerator() {
		run((formats, orders) -> {
			IdFormat number = formatOf(formats, Examples.class, "number", long.class);
			assertThat(number.format(ID)).isEqualTo("ZZZZZZZZZZ").isEqualTo(orders.format(ID));
			assertThat(number.parse("ZZZZZZZZZZ")).isEqualTo(ID);
			assertThat(number.generatorName()).isEqualTo("orders");
		});
	}

	@Test
	void stringsAreWrittenUnchangedAndCheckedWhenRead() {
		run((formats, orders) -> {
			IdFormat format = formatOf(formats, Examples.class, "number", String.class);
			assertThat(format.format("anything")).isEqualTo("anything");
			assertThat(format.parse("ZZZZZZZZZZ")).isEqualTo("ZZZZZZZZZZ");
			assertThatIllegalArgumentException().isThrownBy(() -> format.parse("anything"));
		});
	}

	@Test
	void supportsRecordsWithASingleValue() {
		run((formats, orders) -> {
			assertThat(format(formats, OrderId.class).parse("ZZZZZZZZZZ")).isEqualTo(new OrderId(ID));
			assertThat(format(formats, OrderId.class).format(new OrderId(ID))).isEqualTo("ZZZZZZZZZZ");
			assertThat(format(formats, OrderCode.class).parse("0000000001")).isEqualTo(new OrderCode("0000000001"));
			assertThat(formats.ofType(Long.class)).isNull();
		});
	}

	@Test
	void annotatedPropertySetsTheGeneratorOfAForeignType() {
		run((formats, orders) -> {
			IdFormat format = formatOf(formats, Examples.class, "foreign", Foreign.class);
			assertThat(format.parse("ZZZZZZZZZZ")).isEqualTo(new Foreign(ID));
		});
	}

	@Test
	void valueThatTheTypeRejectsIsRejected() {
		run((formats, orders) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> format(formats, OrderId.class).parse("0000000000"))
			.withMessage("no order has the id 0"));
	}

	@Test
	void failsToFormatAValueWithoutAnId() {
		run((formats, orders) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> format(formats, OrderCode.class).format(new OrderCode(null)))
			.withMessageContaining("OrderCode holds no id"));
	}

	@ParameterizedTest
	@ValueSource(classes = { int.class, double.class, Object.class, List.class, Number.class, AtomicLong.class,
			Date.class, Pair.class, WithIntComponent.class, NotARecord.class })
	void unsupportedTypesAreRejected(Class<?> type) {
		run((formats, orders) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> formatOf(formats, Examples.class, "number", type))
			.withMessageContaining("Examples.number is of type " + type.getTypeName())
			.withMessageContaining("a long, a Long, a String, a UUID, or a record with one such component"));
	}

	@Test
	void unknownGeneratorsAreRejected() {
		run((formats, orders) -> {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> formatOf(formats, Examples.class, "unknown", long.class))
				.withMessageContaining("Examples.unknown: There is no id generator 'nope'; known: default, orders");
			assertThatIllegalArgumentException().isThrownBy(() -> formats.ofType(UnknownId.class))
				.withMessageContaining("UnknownId")
				.withMessageContaining("'nope'");
		});
	}

	@Test
	void failsWhenPropertyAndTypeSpecifyDifferentGenerators() {
		run((formats, orders) -> {
			assertThat(formatOf(formats, Examples.class, "unnamed", OrderId.class).generatorName()).isEqualTo("orders");
			assertThat(formatOf(formats, Examples.class, "number", OrderId.class).generatorName()).isEqualTo("orders");
			assertThatIllegalArgumentException()
				.isThrownBy(() -> formatOf(formats, Examples.class, "parcel", OrderId.class))
				.withMessageContaining("names the generator 'parcels'")
				.withMessageContaining("holds ids of 'orders'");
		});
	}

	@Test
	void usesTheDefaultGeneratorIfTheAnnotationHasNoName() {
		run((formats, orders) -> assertThat(formatOf(formats, Examples.class, "unnamed", long.class).generatorName())
			.isEqualTo("default"));
	}

	@Test
	void usesTheNameInGeneratedIdUnlessIdAsStringHasOne() {
		run((formats, orders) -> {
			assertThat(formatOf(formats, Parcel.class, "namedByGeneratedId", long.class).generatorName())
				.isEqualTo("orders");
			assertThat(formatOf(formats, Parcel.class, "unnamed", long.class).generatorName()).isEqualTo("default");
			assertThat(formatOf(formats, Parcel.class, "withTwoNames", long.class).generatorName()).isEqualTo("orders");
			assertThat(formatOf(formats, Parcel.class, "namedByComposedAnnotation", long.class).generatorName())
				.isEqualTo("orders");
			assertThat(formatOf(formats, Parcel.class, "withoutIdAsString", long.class).generatorName())
				.isEqualTo("orders");
		});
	}

	@Test
	void errorInTheConstructorOfATypeIsThrownUnchanged() {
		run((formats, orders) -> assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> format(formats, Failing.class).parse("ZZZZZZZZZZ")));
	}

	private void run(Consumer consumer) {
		ContextConsumer<AssertableApplicationContext> test = (context) -> consumer.accept(formats(context),
				context.getBean(IdGenerators.class).get("orders"));
		this.contextRunner
			.withPropertyValues("ids.generators.orders.coprime.length=10", "ids.generators.parcels.strategy=sequential")
			.run(test);
	}

	private static IdFormats formats(AssertableApplicationContext context) {
		return new IdFormats(() -> context.getBean(IdGenerators.class));
	}

	private static IdFormat format(IdFormats formats, Class<?> type) {
		IdFormat format = formats.ofType(type);
		assertThat(format).isNotNull();
		return format;
	}

	private static IdFormat formatOf(IdFormats formats, Class<?> owner, String name, Class<?> type) {
		try {
			String generator = IdFormats.generatorName(List.of(owner.getDeclaredField(name).getAnnotations()));
			assertThat(generator).isNotNull();
			return formats.of(generator, type, owner.getSimpleName() + "." + name);
		}
		catch (NoSuchFieldException ex) {
			throw new IllegalStateException(ex);
		}
	}

	interface Consumer {

		void accept(IdFormats formats, IdGenerator orders);

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

	}

	static class Parcel {

		@GeneratedId("orders")
		@IdAsString
		long namedByGeneratedId;

		@GeneratedId
		@IdAsString
		long unnamed;

		@GeneratedId("parcels")
		@IdAsString("orders")
		long withTwoNames;

		@OrderNumber
		@IdAsString
		long namedByComposedAnnotation;

		@GeneratedId("orders")
		long withoutIdAsString;

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

	record WithIntComponent(int value) {

	}

	static class NotARecord {

		NotARecord(long value) {
		}

		long value() {
			return 1;
		}

	}

}
