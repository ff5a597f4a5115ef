package dev.idspring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.ValueGenerationType;

/**
 * Marks a property of an entity whose value an {@link dev.idspring.IdGenerator} supplies
 * when the entity is inserted. This may be the {@code @Id} or any other property, such as
 * an id that is shown to customers. The annotation works with JPA (Hibernate), Spring
 * Data JDBC and Spring Data R2DBC, none of which is required.
 * <p>
 * A {@code long} or {@code Long} gets the numeric form of an id. So does an {@code int}
 * or {@code Integer} if all ids of the generator fit. A {@code String} gets the text
 * form, and a {@code UUID} gets the UUID form. A record with one such component wraps the
 * value. Numbers are never 0, because persistence libraries treat 0 as a missing id. If a
 * generator returns 0, the next number is used instead.
 * <p>
 * The application fails to start with an {@link dev.idspring.IdSetupException} if the
 * property has another type, if the generator does not exist, or if none of the libraries
 * manages the entity. It also fails to start if a column is too narrow for the ids or
 * contains ids that have not been issued yet.
 * <p>
 * A value that is already present is not replaced. A value is missing if it is
 * {@code null}, or 0 in a primitive type. The persistence library decides by its own
 * rules whether an entity with an id is new.
 * <p>
 * With JPA, {@code persist} sets the {@code @Id}, and the flush sets other properties
 * before it validates the entity. With Spring Data, values are set in the same way as ids
 * that the database generates. This happens after the listeners for the
 * {@code BeforeConvertEvent} of Spring Data JDBC have run. The before-convert callbacks
 * of the application that declare no order run afterwards.
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
