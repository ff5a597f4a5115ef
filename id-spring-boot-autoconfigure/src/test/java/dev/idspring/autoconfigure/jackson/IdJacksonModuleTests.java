package dev.idspring.autoconfigure.jackson;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.ser.std.StdSerializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for {@link IdJacksonModule}.
 */
class IdJacksonModuleTests {

	/** A number that JavaScript cannot represent exactly. */
	private static final long ID = (1L << 53) + 1;

	private static final String TEXT = "0FfGNdXsE9";

	private static final String OTHER_TEXT = "0000000001";

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private JsonMapper mapper;

	@BeforeEach
	void start() {
		TestPropertyValues
			.of("ids.store=memory", "ids.generators.orders.coprime.length=10",
					"ids.generators.parcels.strategy=sequential")
			.applyTo(this.context);
		this.context.register(IdsAutoConfiguration.class, IdsJacksonAutoConfiguration.class);
		this.context.refresh();
		this.mapper = JsonMapper.builder()
			.addModule(this.context.getBean(IdJacksonModule.class))
			.disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
			.build();
	}

	@AfterEach
	void stop() {
		this.context.close();
	}

	private String write(Object value) {
		return this.mapper.writeValueAsString(value);
	}

	private <T> T read(String json, Class<T> type) {
		return this.mapper.readValue(json, type);
	}

	private IdGenerator orders() {
		return this.context.getBean(IdGenerators.class).get("orders");
	}

	private void assertRoundTrip(Object value, String json) {
		assertThat(this.mapper.readTree(write(value))).isEqualTo(this.mapper.readTree(json));
		assertThat(read(json, value.getClass())).usingRecursiveComparison().isEqualTo(value);
	}

	@Test
	void generatorFormatsTheExpectedText() {
		assertThat(orders().format(ID)).isEqualTo(TEXT);
	}

	@Test
	void writesAndReadsNumbersAsStrings() {
		assertRoundTrip(new View(ID, 1L, TEXT, 7),
				"{\"id\":\"" + TEXT + "\",\"parent\":\"" + OTHER_TEXT + "\",\"text\":\"" + TEXT + "\",\"count\":7}");
	}

	@Test
	void writesAndReadsNull() {
		assertRoundTrip(new View(ID, null, null, 7),
				"{\"id\":\"" + TEXT + "\",\"parent\":null,\"text\":null,\"count\":7}");
	}

	@Test
	void fieldsGettersAndCreatorsAreWrittenAndReadAsIds() {
		assertThat(write(new WithField(ID))).isEqualTo("{\"id\":\"" + TEXT + "\"}");
		assertThat(read("{\"id\":\"" + TEXT + "\"}", WithField.class).id).isEqualTo(ID);
		assertThat(write(new WithGetter(ID))).isEqualTo("{\"id\":\"" + TEXT + "\"}");
		assertThat(read("{\"id\":\"" + TEXT + "\"}", WithGetter.class).value).isEqualTo(ID);
		assertThat(write(new WithCreator(ID))).isEqualTo("{\"id\":\"" + TEXT + "\"}");
		assertThat(read("{\"id\":\"" + TEXT + "\"}", WithCreator.class).value).isEqualTo(ID);
	}

	@Test
	void elementsAreWrittenAndReadAsIds() {
		assertRoundTrip(
				new Many(List.of(ID, 1L), Set.of(1L), new long[] { 1, ID }, new Long[] { ID, null },
						new String[] { TEXT }, List.of(TEXT)),
				"{\"list\":[\"" + TEXT + "\",\"" + OTHER_TEXT + "\"],\"set\":[\"" + OTHER_TEXT + "\"],\"numbers\":[\""
						+ OTHER_TEXT + "\",\"" + TEXT + "\"],\"boxed\":[\"" + TEXT + "\",null],\"array\":[\"" + TEXT
						+ "\"],\"texts\":[\"" + TEXT + "\"]}");
	}

	@Test
	void keysAndValuesOfMapsAreWrittenAndReadAsIds() {
		Map<Long, String> byId = new LinkedHashMap<>();
		byId.put(ID, "a");
		byId.put(1L, "b");
		assertRoundTrip(new Maps(byId, Map.of("c", ID), Map.of(new OrderId(ID), new OrderId(1))),
				"{\"byId\":{\"" + TEXT + "\":\"a\",\"" + OTHER_TEXT + "\":\"b\"},\"ids\":{\"c\":\"" + TEXT
						+ "\"},\"typed\":{\"" + TEXT + "\":\"" + OTHER_TEXT + "\"}}");
	}

	@Test
	void typesWithASingleValueAreWrittenAndReadAsIds() {
		assertRoundTrip(new OrderId(ID), "\"" + TEXT + "\"");
		assertRoundTrip(new Typed(new OrderId(ID), List.of(new OrderId(1)), new OrderCode(TEXT), null), "{\"id\":\""
				+ TEXT + "\",\"others\":[\"" + OTHER_TEXT + "\"],\"code\":\"" + TEXT + "\",\"none\":null}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "9007199254740993", "1000000000", "1", "-1", "1.5", "true", "{}", "[]",
			"{\"value\":\"0000000001\"}", "[\"0000000001\"]", "\"\"", "\" \"", "\"1\"", "\"9007199254740993\"",
			"\"00000000001\"", "\"0000000-01\"", "\" 000000001\"", "\"0000000001 \"", "\"null\"" })
	void malformedIdsAreRejected(String json) {
		assertRejected("{\"id\":" + json + ",\"count\":1}", View.class);
		assertRejected("{\"id\":\"" + TEXT + "\",\"parent\":" + json + "}", View.class);
		assertRejected("{\"id\":\"" + TEXT + "\",\"text\":" + json + "}", View.class);
		assertRejected("{\"numbers\":[" + json + "]}", Many.class);
		assertRejected("{\"list\":[" + json + "]}", Many.class);
		assertRejected("{\"boxed\":[" + json + "]}", Many.class);
		assertRejected(json, OrderId.class);
		assertRejected("{\"ids\":{\"a\":" + json + "}}", Maps.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "1", "9007199254740993" })
	void malformedMapKeysAreRejected(String key) {
		assertRejected("{\"byId\":{\"" + key + "\":\"a\"}}", Maps.class);
		assertRejected("{\"typed\":{\"" + key + "\":\"" + TEXT + "\"}}", Maps.class);
	}

	@Test
	void wrongJsonForAnArrayIsRejected() {
		assertThat(catchThrowable(() -> read("{\"numbers\":\"" + TEXT + "\"}", Many.class)))
			.isInstanceOf(MismatchedInputException.class);
		assertThat(catchThrowable(() -> read("{\"numbers\":[null]}", Many.class)))
			.isInstanceOf(MismatchedInputException.class);
		assertThat(catchThrowable(() -> read("{\"numbers\":[", Many.class))).isNotNull();
	}

	@Test
	void messagesContainTheReasonAndAShortQuote() {
		Throwable number = catchThrowable(() -> read("{\"id\":9007199254740993}", View.class));
		assertThat(number).hasMessageContaining("An id of the generator 'orders' must be a string")
			.hasMessageContaining("VALUE_NUMBER_INT");
		String longText = "x\\u0000y".repeat(10_000);
		Throwable text = catchThrowable(() -> read("{\"id\":\"" + longText + "\"}", View.class));
		assertThat(text).isInstanceOf(MismatchedInputException.class);
		assertThat(text.getMessage()).hasSizeLessThan(600).doesNotContain("\0");
		Throwable key = catchThrowable(() -> read("{\"byId\":{\"" + longText + "\":\"a\"}}", Maps.class));
		assertThat(key).isInstanceOf(MismatchedInputException.class);
		assertThat(key.getMessage().lines().findFirst().orElseThrow()).hasSizeLessThan(600).doesNotContain("\0");
	}

	/**
	 * A number that is not an id of the generator must not be written as one.
	 */
	@Test
	void doesNotWriteNumbersOutsideTheKeySpace() {
		assertThat(catchThrowable(() -> write(new View(-1, null, null, 0)))).hasMessageContaining("-1");
		assertThat(catchThrowable(() -> write(new OrderId(-1)))).hasMessageContaining("-1");
	}

	@Test
	void randomStringIsRejectedOrParsedAsAnId() {
		Random random = new Random(20_260_401);
		int validIds = 0;
		for (int i = 0; i < 20_000; i++) {
			StringBuilder text = new StringBuilder();
			for (int length = 8 + random.nextInt(3); length > 0; length--) {
				text.append((random.nextInt(50) == 0) ? (char) (0x20 + random.nextInt(0x300))
						: TEXT.charAt(random.nextInt(TEXT.length())));
			}
			String json = "{\"id\":" + write(text.toString()) + ",\"count\":1}";
			View view;
			try {
				view = read(json, View.class);
			}
			catch (Exception ex) {
				assertThat(ex).isInstanceOf(MismatchedInputException.class);
				continue;
			}
			validIds++;
			assertThat(orders().format(view.id())).isEqualTo(text.toString());
		}
		assertThat(validIds).isBetween(1_000, 19_000);
	}

	@Test
	void unsupportedPropertyTypesAreRejectedOnFirstUse() {
		for (Object wrong : List.of(new WrongNumber(1), new WrongElements(List.of(1)), new WrongMap(Map.of(1L, 1L)),
				new WrongNesting(List.of(List.of(1L))))) {
			assertThat(catchThrowable(() -> write(wrong))).as("%s", wrong)
				.isInstanceOf(InvalidDefinitionException.class)
				.hasMessageContaining("@IdAsString")
				.hasMessageContaining(wrong.getClass().getTypeName());
			assertThat(catchThrowable(() -> read("{}", wrong.getClass())))
				.isInstanceOf(InvalidDefinitionException.class)
				.hasMessageContaining(wrong.getClass().getTypeName());
		}
	}

	@Test
	void unknownGeneratorsAreRejectedOnFirstUse() {
		for (Object wrong : List.of(new WithUnknownGenerator(1), new UnknownId(1))) {
			assertThat(catchThrowable(() -> write(wrong))).isInstanceOf(InvalidDefinitionException.class)
				.hasMessageContaining("There is no id generator 'nope'; known: default, orders, parcels")
				.hasMessageContaining(wrong.getClass().getTypeName());
			assertThat(catchThrowable(() -> read("{\"id\":\"1\"}", wrong.getClass())))
				.isInstanceOf(InvalidDefinitionException.class)
				.hasMessageContaining("known: default, orders, parcels");
		}
	}

	@Test
	void usesTheDefaultGeneratorWithoutAName() {
		assertRoundTrip(new WithDefaultGenerator(1), "{\"id\":\"000001\"}");
	}

	@Test
	void unannotatedPropertiesAreUnchanged() {
		assertRoundTrip(new Plain(ID, List.of(ID)), "{\"id\":" + ID + ",\"ids\":[" + ID + "]}");
	}

	@Test
	void nullForAPrimitiveFailsOnlyIfJacksonIsStrict() {
		assertThat(read("{\"id\":null,\"count\":1}", View.class).id()).isZero();
		JsonMapper strict = this.mapper.rebuild().enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES).build();
		assertThatExceptionOfType(MismatchedInputException.class)
			.isThrownBy(() -> strict.readValue("{\"id\":null,\"count\":1}", View.class));
		assertThatExceptionOfType(MismatchedInputException.class)
			.isThrownBy(() -> strict.readValue("{\"count\":1}", View.class));
	}

	@Test
	void optionalIdsAreWrittenAndReadAsIds() {
		assertRoundTrip(new WithOptionals(Optional.of(1L), Optional.empty()),
				"{\"some\":\"0000000001\",\"none\":null}");
		assertThatExceptionOfType(MismatchedInputException.class)
			.isThrownBy(() -> this.mapper.readValue("{\"some\":1}", WithOptionals.class));
	}

	@Test
	void explicitSerializerTakesPrecedence() {
		assertThat(write(new WithSerializer(1))).isEqualTo("{\"id\":\"NUMBER 1\"}");
	}

	@Test
	void typeVariablesOfPropertiesAreResolved() {
		Concrete value = new Concrete();
		value.ids = List.of(1L);
		assertThat(write(value)).isEqualTo("{\"ids\":[\"0000000001\"]}");
		assertThat(read("{\"ids\":[\"0000000001\"]}", Concrete.class).ids).containsExactly(1L);
	}

	private void assertRejected(String json, Class<?> type) {
		assertThat(catchThrowable(() -> read(json, type))).as(json).isInstanceOf(MismatchedInputException.class);
	}

	record View(@IdAsString("orders") long id, @IdAsString("orders") @Nullable Long parent,
			@IdAsString("orders") @Nullable String text, int count) {

	}

	record Many(@IdAsString("orders") List<Long> list, @IdAsString("orders") Set<Long> set,
			@IdAsString("orders") long[] numbers, @IdAsString("orders") Long[] boxed,
			@IdAsString("orders") String[] array, @IdAsString("orders") List<String> texts) {

	}

	record Maps(@IdAsString("orders") Map<Long, String> byId, @IdAsString("orders") Map<String, Long> ids,
			Map<OrderId, OrderId> typed) {

	}

	record Typed(OrderId id, List<OrderId> others, OrderCode code, @Nullable OrderId none) {

	}

	record WithDefaultGenerator(@IdAsString long id) {

	}

	record Plain(long id, List<Long> ids) {

	}

	@IdAsString("orders")
	record OrderId(long value) {

	}

	@IdAsString("orders")
	record OrderCode(String value) {

	}

	static class WithField {

		@IdAsString("orders")
		public long id;

		WithField() {
		}

		WithField(long id) {
			this.id = id;
		}

	}

	static class WithGetter {

		private long value;

		WithGetter() {
		}

		WithGetter(long id) {
			this.value = id;
		}

		@IdAsString("orders")
		public long getId() {
			return this.value;
		}

		public void setId(long id) {
			this.value = id;
		}

	}

	static class WithCreator {

		private final long value;

		@JsonCreator
		WithCreator(@JsonProperty("id") @IdAsString("orders") long id) {
			this.value = id;
		}

		public long getId() {
			return this.value;
		}

	}

	record WrongNumber(@IdAsString("orders") int id) {

	}

	record WrongElements(@IdAsString("orders") List<Integer> ids) {

	}

	record WrongMap(@IdAsString("orders") Map<Long, Long> ids) {

	}

	record WrongNesting(@IdAsString("orders") List<List<Long>> ids) {

	}

	record WithUnknownGenerator(@IdAsString("nope") long id) {

	}

	@IdAsString("nope")
	record UnknownId(long id) {

	}

	record WithOptionals(@IdAsString("orders") Optional<Long> some, @IdAsString("orders") Optional<Long> none) {

	}

	record WithSerializer(@IdAsString("orders") @JsonSerialize(using = PrefixingSerializer.class) long id) {

	}

	static class Generic<T> {

		@IdAsString("orders")
		public List<T> ids = List.of();

	}

	static class Concrete extends Generic<Long> {

	}

	static class PrefixingSerializer extends StdSerializer<Long> {

		PrefixingSerializer() {
			super(Long.class);
		}

		@Override
		public void serialize(Long id, JsonGenerator generator, SerializationContext context) {
			generator.writeString("NUMBER " + id);
		}

	}

}
