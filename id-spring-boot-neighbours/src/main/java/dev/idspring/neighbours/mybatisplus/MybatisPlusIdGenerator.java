package dev.idspring.neighbours.mybatisplus;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.GeneratedIds;
import dev.idspring.annotation.GeneratedIds.IdProperty;
import dev.idspring.annotation.GeneratedIds.IdSource;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Draws the keys of entities that MyBatis-Plus inserts. A {@code @GeneratedId} on the key
 * names the generator. A key without this annotation comes from the default generator.
 */
final class MybatisPlusIdGenerator implements IdentifierGenerator {

	private static final Set<Class<?>> ASSIGNABLE_TYPES = Set.of(Long.class, Integer.class, String.class);

	private final Supplier<IdGenerators> generators;

	private final GeneratedIds ids;

	private final Supplier<? extends Collection<Configuration>> configurations;

	private final Map<Class<?>, Optional<Key>> keys = new ConcurrentHashMap<>();

	/**
	 * Create a generator.
	 * @param generators supplies the generators; called whenever one is looked up
	 * @param check verifies keys
	 * @param configurations supplies the configurations of this application.
	 * {@link #check} ignores the tables of other configurations, because MyBatis-Plus has
	 * a single registry for the tables of all applications in a JVM
	 */
	MybatisPlusIdGenerator(Supplier<IdGenerators> generators, GeneratedIds.Check check,
			Supplier<? extends Collection<Configuration>> configurations) {
		this.generators = generators;
		this.configurations = configurations;
		this.ids = new GeneratedIds(generators, check);
	}

	/**
	 * Check the tables that are known so far, and look up their generators.
	 * @throws IdSetupException if a key cannot hold ids
	 */
	void check() {
		Collection<Configuration> configurations = this.configurations.get();
		TableInfoHelper.getTableInfos()
			.stream()
			.filter((table) -> configurations.contains(table.getConfiguration()))
			.forEach(this::key);
		this.ids.resolve();
	}

	@Override
	public Number nextId(@Nullable Object entity) {
		Key key = keyOf(entity);
		if (key == null) {
			return this.generators.get().get("default").nextLong();
		}
		Object id = key.source().next(key.dataSource(), () -> null);
		return (id instanceof String text)
				? new TextId(this.generators.get().get(key.source().generatorName()).parse(text), text) : (Number) id;
	}

	/**
	 * Return the next id as a UUID of 32 hexadecimal digits without hyphens, as
	 * MyBatis-Plus writes UUIDs.
	 */
	@Override
	public String nextUUID(@Nullable Object entity) {
		Key key = keyOf(entity);
		if (key != null) {
			key.source().verifyInsert(key.dataSource(), () -> null);
		}
		String generator = (key != null) ? key.source().generatorName() : "default";
		return this.generators.get().get(generator).nextUuid().toString().replace("-", "");
	}

	private @Nullable Key keyOf(@Nullable Object entity) {
		// application code may call nextId without an entity
		TableInfo table = (entity != null) ? TableInfoHelper.getTableInfo(entity.getClass()) : null;
		return (table != null) ? key(table).orElse(null) : null;
	}

	private Optional<Key> key(TableInfo table) {
		return this.keys.computeIfAbsent(table.getEntityType(), (type) -> {
			Optional<Key> key = createKey(table);
			this.ids.verifyAdded(type);
			return key;
		});
	}

	/**
	 * Return the {@code DataSource} through which the rows of a table are inserted, or
	 * {@code null} if there is not exactly one. All configurations are searched, because
	 * an entity may have mappers in several session factories, but its table refers to
	 * the configuration of only one of them.
	 */
	private @Nullable DataSource dataSource(TableInfo table) {
		List<DataSource> dataSources = this.configurations.get()
			.stream()
			.filter((configuration) -> configuration == table.getConfiguration()
					|| hasMapper(configuration, table.getEntityType()))
			.map(MybatisPlusIdGenerator::dataSource)
			.filter(Objects::nonNull)
			.distinct()
			.toList();
		return (dataSources.size() == 1) ? dataSources.get(0) : null;
	}

	private static @Nullable DataSource dataSource(Configuration configuration) {
		Environment environment = configuration.getEnvironment();
		return (environment != null) ? environment.getDataSource() : null;
	}

	private static boolean hasMapper(Configuration configuration, Class<?> entity) {
		return configuration.getMapperRegistry()
			.getMappers()
			.stream()
			.anyMatch((mapper) -> ResolvableType.forClass(mapper).as(BaseMapper.class).resolveGeneric() == entity);
	}

	/**
	 * Create the key of a table. The result is empty if the table has no key property, or
	 * if the key is not supported. In both cases, {@link #nextId} uses the default
	 * generator.
	 * @throws IdSetupException if the key is annotated, but is not supported
	 */
	private Optional<Key> createKey(TableInfo table) {
		Field field = (table.getKeyProperty() != null)
				? ReflectionUtils.findField(table.getEntityType(), table.getKeyProperty()) : null;
		if (field == null) {
			return Optional.empty();
		}
		GeneratedId annotation = AnnotatedElementUtils.findMergedAnnotation(field, GeneratedId.class);
		String property = table.getEntityType().getName() + "." + table.getKeyProperty();
		String reason = reasonNotSupported(table);
		if (reason != null) {
			if (annotation != null) {
				throw GeneratedIds.notStorable(property, reason);
			}
			return Optional.empty();
		}
		boolean assignsUuid = table.getIdType() == IdType.ASSIGN_UUID;
		// omit the column of a UUID: without hyphens, the string is shorter than the
		// check expects
		DataSource dataSource = dataSource(table);
		IdSource source = this.ids.add(
				(annotation != null) ? annotation : AnnotationUtils.synthesizeAnnotation(GeneratedId.class),
				new IdProperty(property, assignsUuid ? UUID.class : table.getKeyType(), true,
						dataSource(table.getConfiguration()),
						assignsUuid ? List.of()
								: List.of(new IdProperty.Column(table.getTableName(), table.getKeyColumn(), true))),
				dataSource);
		return Optional.of(new Key(source, dataSource));
	}

	private static @Nullable String reasonNotSupported(TableInfo table) {
		return switch (table.getIdType()) {
			case ASSIGN_ID ->
				ASSIGNABLE_TYPES.contains(table.getKeyType()) ? null : "is of type " + table.getKeyType().getTypeName()
						+ "; with MyBatis-Plus, the key must be a Long, an Integer or a String";
			case ASSIGN_UUID -> (table.getKeyType() == String.class) ? null : "is of type "
					+ table.getKeyType().getTypeName() + "; MyBatis-Plus assigns UUIDs only to a String";
			default -> "has the IdType " + table.getIdType() + ", for which MyBatis-Plus assigns no id";
		};
	}

	/**
	 * The key of a table.
	 *
	 * @param source the source of its ids
	 * @param dataSource the {@code DataSource} through which rows are inserted, or
	 * {@code null} if it is not known
	 */
	private record Key(IdSource source, @Nullable DataSource dataSource) {

	}

	/**
	 * An id for a key of type {@code String}. MyBatis-Plus requires a {@code Number}, and
	 * assigns the result of {@link #toString()}.
	 */
	private static final class TextId extends Number {

		private static final long serialVersionUID = 1L;

		private final long number;

		private final String text;

		private TextId(long number, String text) {
			this.number = number;
			this.text = text;
		}

		@Override
		public int intValue() {
			return (int) this.number;
		}

		@Override
		public long longValue() {
			return this.number;
		}

		@Override
		public float floatValue() {
			return this.number;
		}

		@Override
		public double doubleValue() {
			return this.number;
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

}
