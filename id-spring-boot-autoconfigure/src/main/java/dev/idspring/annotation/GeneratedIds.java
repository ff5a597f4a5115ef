package dev.idspring.annotation;

import java.beans.Introspector;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.IdSetupException;
import dev.idspring.TransactionalIds;
import dev.idspring.TransactionalIds.Insert;
import org.jspecify.annotations.Nullable;

/**
 * Connects entity properties that are annotated with {@link GeneratedId} to the
 * application's id generators. Session factories obtain this object from their
 * {@link #HIBERNATE_SETTING settings}.
 * <p>
 * This object records the properties, and looks up all generators when the beans of the
 * application have been created. If a property needs an id earlier, only its own
 * generator is looked up. A lookup while a session factory is built could cause a cycle:
 * with {@code spring.jpa.defer-datasource-initialization}, the scripts that create tables
 * wait for the session factory, and the generators wait for the scripts.
 *
 * @since 0.1.0
 */
public final class GeneratedIds {

	/**
	 * The Hibernate setting whose value is an object of this class. The starter adds the
	 * setting to each session factory that is built by a Spring factory bean, or by
	 * Spring Boot's {@code EntityManagerFactoryBuilder}. The application must add the
	 * setting to any other session factory.
	 */
	public static final String HIBERNATE_SETTING = GeneratedIds.class.getName();

	/**
	 * The reason to pass to {@link #unmanaged} if there are no generators.
	 */
	public static final String NO_GENERATORS = "this application context has no id generators";

	private static final Pattern GETTER = Pattern.compile("(?:get|is)(\\p{Lu}.*)");

	private final Supplier<IdGenerators> generators;

	private final Check check;

	private final Queue<IdSource> unresolved = new ConcurrentLinkedQueue<>();

	private final Set<String> addedProperties = ConcurrentHashMap.newKeySet();

	private volatile boolean started;

	/**
	 * Create an instance.
	 * @param generators supplies the generators at each lookup
	 * @param check verifies properties
	 */
	public GeneratedIds(Supplier<IdGenerators> generators, Check check) {
		this.generators = generators;
		this.check = check;
	}

	/**
	 * Look up the generators of all recorded properties, and verify the properties. A
	 * property that is added later is verified when its first id is drawn, because
	 * verification may block, and some threads that add properties must not block.
	 * @throws IdSetupException if a property names a generator that does not exist, if
	 * the property or its column cannot store the ids, if the column contains ids that
	 * have not been issued yet, or if the rows are not inserted in the transactions that
	 * draw the ids
	 */
	public void resolve() {
		this.started = true;
		Map<String, List<IdSource>> transactional = new LinkedHashMap<>();
		for (IdSource next = this.unresolved.poll(); next != null; next = this.unresolved.poll()) {
			if (next.generator() instanceof TransactionalIds) {
				transactional.computeIfAbsent(next.property.name(), (name) -> new ArrayList<>()).add(next);
			}
		}
		for (List<IdSource> ofProperty : transactional.values()) {
			verifyInserts(ofProperty);
		}
	}

	/**
	 * Verify that rows can be inserted in the transactions in which their ids are drawn.
	 * If an entity belongs to several session factories, one suitable session factory is
	 * enough, because the others might only read the entity. The property is not verified
	 * if the {@code DataSource} of any of these session factories is unknown.
	 */
	private static void verifyInserts(List<IdSource> ofProperty) {
		List<DataSource> dataSources = ofProperty.stream()
			.flatMap((source) -> Stream.ofNullable(source.dataSource))
			.toList();
		if (dataSources.size() == ofProperty.size()) {
			ofProperty.get(0).verifyInserts(dataSources);
		}
	}

	/**
	 * Add a property.
	 * @param annotation the annotation of the property
	 * @param property the property
	 * @param dataSource the {@code DataSource} through which its rows are inserted, or
	 * {@code null} if it is not known or if a transaction may span several data sources
	 * @return the source of its ids
	 * @throws IdSetupException if the type of the property is not suitable for ids of the
	 * named generator, or if {@link #resolve} was called and the generator does not exist
	 */
	public IdSource add(GeneratedId annotation, IdProperty property, @Nullable DataSource dataSource) {
		IdType type = IdType.of(property.type())
			.orElseThrow(() -> new IdSetupException(
					property.name() + " is annotated with @GeneratedId but is of type " + property.type().getTypeName()
							+ "; ids need a long, Long, int, Integer, String or UUID, or a record with one of these.",
					"Change its type, or remove @GeneratedId and assign its value yourself."));
		this.addedProperties.add(property.name());
		String generator = generatorName(annotation.value());
		verifyType(property, generator);
		IdSource source = new IdSource(generator, property, type, dataSource);
		if (this.started) {
			source.lookUp();
		}
		else {
			this.unresolved.add(source);
		}
		return source;
	}

	private static String generatorName(String name) {
		return name.isEmpty() ? "default" : name;
	}

	/**
	 * If the type of a property is annotated with {@link IdAsString}, verify that this
	 * annotation names the generator of the property.
	 */
	private static void verifyType(IdProperty property, String generator) {
		IdAsString type = property.type().getAnnotation(IdAsString.class);
		if (type != null && !generatorName(type.value()).equals(generator)) {
			String generatorOfType = generatorName(type.value());
			throw new IdSetupException(
					property.name() + " gets ids of the generator '" + generator + "', but its type "
							+ property.type().getTypeName() + " holds ids of '" + generatorOfType + "'.",
					"Write @GeneratedId(\"" + generatorOfType + "\") on the property, or @IdAsString(\"" + generator
							+ "\") on the type.");
		}
	}

	/**
	 * Return the exception for a property that no generator would fill.
	 * @param property the name of the property, qualified with its class
	 * @param reason why the property would not get a value
	 * @return an exception that names the property, the reason and the remedy
	 */
	public static IdSetupException unmanaged(String property, String reason) {
		return new IdSetupException(property + " is annotated with @GeneratedId, but " + reason + ".",
				"Let Spring Boot configure Hibernate, Spring Data JDBC or Spring Data R2DBC for this entity, and do not"
						+ " set ids.enabled to false. If your own code builds the session factory, add the GeneratedIds"
						+ " bean to its settings under the name GeneratedIds.HIBERNATE_SETTING. A slice test, such as"
						+ " @DataJpaTest or @DataJdbcTest, needs @AutoConfigureTestIds.");
	}

	/**
	 * Return the exception for a property whose ids would not be stored.
	 * @param property the name of the property, qualified with its class
	 * @param reason why the ids would not be stored
	 * @return an exception that names the property, the reason and the remedy
	 */
	public static IdSetupException notStorable(String property, String reason) {
		return new IdSetupException(property + " is annotated with @GeneratedId but " + reason + ".",
				"Remove @GeneratedId, or remove what prevents the id from being stored.");
	}

	/**
	 * Return the exception for a property with a second annotation that also generates
	 * its values.
	 * @param property the name of the property, qualified with its class
	 * @param annotation the name of the other annotation
	 * @return an exception that names the property, the annotation and the remedy
	 */
	public static IdSetupException generatedTwice(String property, String annotation) {
		return new IdSetupException(
				property + " is annotated with @GeneratedId and with @" + annotation
						+ ", but only one of them can generate its values.",
				"Remove @" + annotation
						+ " to use the ids of the generator, or @GeneratedId to use those of the database.");
	}

	/**
	 * Verify that the persistence library has read all annotations of a class.
	 * @param type a class that the library manages
	 * @throws IdSetupException if a property is annotated but has not been added
	 */
	public void verifyAdded(Class<?> type) {
		for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
			for (Field field : declaring.getDeclaredFields()) {
				verifyAdded(field, type);
			}
			for (Method method : declaring.getDeclaredMethods()) {
				verifyAdded(method, type);
			}
		}
	}

	private <M extends AnnotatedElement & Member> void verifyAdded(M member, Class<?> type) {
		if (!isAnnotated(member)) {
			return;
		}
		String name = propertyName(member);
		for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
			if (this.addedProperties.contains(declaring.getName() + "." + name)) {
				return;
			}
		}
		throw new IdSetupException(
				member.getDeclaringClass().getName() + "." + name + " is annotated with @GeneratedId, but the"
						+ " persistence library does not read the annotation there.",
				"Annotate the field if @Id is on a field, or the getter if @Id is on a getter. The property must be"
						+ " neither static nor transient, and a relation must not determine its value. Hibernate does"
						+ " not support @GeneratedId as a meta-annotation, and generates no ids in an embeddable that"
						+ " is in another embeddable or in an @ElementCollection.");
	}

	/**
	 * Return whether an element is annotated, directly or by a composed annotation.
	 */
	private static boolean isAnnotated(AnnotatedElement element) {
		for (Annotation annotation : element.getAnnotations()) {
			if (annotation instanceof GeneratedId
					|| annotation.annotationType().isAnnotationPresent(GeneratedId.class)) {
				return true;
			}
		}
		return false;
	}

	static String propertyName(Member member) {
		String name = member.getName();
		Matcher getter = GETTER.matcher(name);
		return (member instanceof Method && getter.matches()) ? Introspector.decapitalize(getter.group(1)) : name;
	}

	/**
	 * A property that gets ids.
	 *
	 * @param name the name of the property in messages, qualified with its class
	 * @param type the type of the property
	 * @param key whether the property is the whole primary key of its table
	 * @param dataSource the {@code DataSource} of the persistence library, or
	 * {@code null} if it is not known
	 * @param columns the columns to which the property is written, empty if they are not
	 * known
	 * @since 0.1.0
	 */
	public record IdProperty(String name, Class<?> type, boolean key, @Nullable DataSource dataSource,
			List<Column> columns) {

		/**
		 * Create an instance.
		 */
		public IdProperty {
			columns = List.copyOf(columns);
		}

		/**
		 * A column to which a property is written.
		 *
		 * @param table the name of the table as written in SQL, with the schema if it is
		 * not the default schema of the connection
		 * @param name the name of the column as written in SQL
		 * @param unique whether the column has a unique index
		 * @since 0.1.0
		 */
		public record Column(String table, String name, boolean unique) {

			@Override
			public String toString() {
				return this.table + "." + this.name;
			}

		}

	}

	/**
	 * Verifies that a property and its columns are suitable for the ids of a generator.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface Check {

		/**
		 * Verify a property.
		 * @param generator the generator from which the property gets ids
		 * @param property the property
		 */
		void verify(IdGenerator generator, IdProperty property);

	}

	/**
	 * Supplies the ids of one property.
	 */
	public final class IdSource {

		private final String name;

		private final IdProperty property;

		private final IdType type;

		private final @Nullable DataSource dataSource;

		private volatile @Nullable IdGenerator generator;

		private IdSource(String name, IdProperty property, IdType type, @Nullable DataSource dataSource) {
			this.name = name;
			this.property = property;
			this.type = type;
			this.dataSource = dataSource;
		}

		/**
		 * Return the name of the generator.
		 * @return {@code default}, or a name under {@code ids.generators}
		 */
		public String generatorName() {
			return this.name;
		}

		private IdGenerator generator() {
			IdGenerator generator = this.generator;
			if (generator != null) {
				return generator;
			}
			generator = lookUp();
			GeneratedIds.this.check.verify(generator, this.property);
			this.generator = generator;
			return generator;
		}

		private IdGenerator lookUp() {
			IdGenerators generators = GeneratedIds.this.generators.get();
			try {
				return generators.get(this.name);
			}
			catch (IllegalArgumentException ex) {
				IdGenerator scoped = lookUpScoped(generators);
				if (scoped != null) {
					return scoped;
				}
				throw new IdSetupException(
						this.property.name() + " is annotated with @GeneratedId(\"" + this.name + "\"). "
								+ ex.getMessage(),
						"Configure a generator with that name, or name an existing one in the annotation.", ex);
			}
		}

		/**
		 * Return a generator that determines the scope at each draw, or {@code null} if
		 * no generator with scoped numbers has this name.
		 */
		private @Nullable IdGenerator lookUpScoped(IdGenerators generators) {
			IdGenerator scoped;
			try {
				scoped = generators.scoped(this.name).in();
			}
			catch (IllegalArgumentException ex) {
				return null;
			}
			if (this.property.key()) {
				throw new IdSetupException(this.property.name() + " is a primary key and annotated with @GeneratedId(\""
						+ this.name
						+ "\"), but that generator numbers each scope separately: rows of two scopes would have the"
						+ " same key.",
						"Use another generator for the key, and put the scoped number into another property.");
			}
			return scoped;
		}

		/**
		 * Return whether a property has no id yet.
		 * @param value the value of the property
		 * @return {@code true} if the value is {@code null}, or 0 in a primitive type
		 */
		public boolean isMissing(@Nullable Object value) {
			return value == null || (this.property.type().isPrimitive() && ((Number) value).longValue() == 0);
		}

		/**
		 * Verify that rows can be inserted in the transactions in which their ids are
		 * drawn. Do nothing if the generator draws ids outside of transactions.
		 * @param dataSources all data sources through which the rows may be inserted
		 * @throws IdSetupException if data sources are given, but no transaction of any
		 * of them can draw ids
		 */
		public void verifyInserts(Collection<DataSource> dataSources) {
			if (generator() instanceof TransactionalIds ids) {
				ids.verifyInserts(describeRow(), dataSources);
			}
		}

		private String describeRow() {
			return this.property.name() + this.property.columns()
				.stream()
				.findFirst()
				.map((column) -> " (table " + column.table() + ")")
				.orElse("");
		}

		/**
		 * Verify that a row is inserted in the transaction in which the next id would be
		 * drawn. Do nothing if the generator draws ids outside of transactions.
		 * @param dataSource the {@code DataSource} through which the row is inserted, or
		 * {@code null} if it is not known
		 * @param connection returns the connection that inserts the row, or {@code null}
		 * for the connection that Spring uses for the {@code DataSource}
		 * @throws dev.idspring.IdGenerationException if there is no transaction, or if
		 * another transaction inserts the row
		 */
		public void verifyInsert(@Nullable DataSource dataSource, Supplier<@Nullable Connection> connection) {
			if (generator() instanceof TransactionalIds ids) {
				ids.verifyInsert(new Insert(describeRow(), dataSource, connection.get()));
			}
		}

		/**
		 * Draw the next id for a row.
		 * @param dataSource the {@code DataSource} through which the row is inserted, or
		 * {@code null} if it is not known
		 * @param connection returns the connection that inserts the row, or {@code null}
		 * for the connection that Spring uses for the {@code DataSource}
		 * @return an id, as {@link #next()} returns it
		 * @throws dev.idspring.IdGenerationException if the generator draws ids in
		 * transactions, and there is no transaction, or another one inserts the row
		 */
		public Object next(@Nullable DataSource dataSource, Supplier<@Nullable Connection> connection) {
			verifyInsert(dataSource, connection);
			return next();
		}

		/**
		 * Draw the next id.
		 * @return a {@code Long} or {@code Integer} other than 0, a {@code String}, a
		 * {@code UUID}, or a record with one of these
		 * @throws IllegalStateException if the generator returns 0 twice, or a number
		 * that does not fit into the property
		 * @throws IdSetupException if the generator does not exist, or if the property or
		 * its column is not suitable for the ids
		 */
		public Object next() {
			return this.type.next(generator(), this.property.name());
		}

	}

}
