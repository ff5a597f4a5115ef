package dev.idspring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.ValueGenerationType;

/**
 * A property of an entity whose value an {@link dev.idspring.IdGenerator} supplies when
 * the entity is inserted: its {@code @Id}, or any other, such as an id shown to
 * customers. It works for entities of JPA (with Hibernate), Spring Data JDBC and Spring
 * Data R2DBC; none of these libraries has to be present.
 * <p>
 * A {@code long} or {@code Long} gets the numeric form of an id, and so does an
 * {@code int} or {@code Integer} if all ids of the generator fit; a {@code String} gets
 * the text form, and a {@code UUID} the UUID. A record with one such component wraps the
 * value. Other types, names of generators that do not exist, and entities that none of
 * these libraries manages fail at start-up with an {@link dev.idspring.IdSetupException};
 * so does a column that is too narrow for the ids, or that contains ids not yet issued.
 * Numbers are never 0: persistence libraries treat 0 as a missing id, so the key 0 is
 * drawn and discarded.
 * <p>
 * A value that is already present is not replaced: anything but {@code null}, or 0 in a
 * primitive type. The persistence library decides by its own rules whether an entity with
 * an id is new.
 * <p>
 * With JPA, an {@code @Id} is present after {@code persist}, and the value of another
 * column after the flush, which validates entities once values are present. With Spring
 * Data, values are present before the application's before-convert callbacks run; Spring
 * Data's property accessors set them, as they set ids that the database generates.
 * Listeners of Spring Data JDBC's {@code BeforeConvertEvent} run before all callbacks,
 * and so before values are present.
 *
 * @since 0.1.0
 */
@Documented
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@IdGeneratorType(EntityIdGenerator.class)
@ValueGenerationType(generatedBy = EntityIdGenerator.class)
public @interface GeneratedId {

	/**
	 * Return the name of the generator.
	 * @return a name under {@code ids.generators}; empty for {@code default}
	 */
	String value() default "";

}
