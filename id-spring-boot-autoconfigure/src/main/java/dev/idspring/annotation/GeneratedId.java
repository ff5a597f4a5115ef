package dev.idspring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.ValueGenerationType;

/**
 * Marks a property of an entity: the {@code @Id} or any other property, such as an id
 * that is shown to customers. When the entity is inserted, an
 * {@link dev.idspring.IdGenerator} supplies the value of the property. The annotation
 * works with JPA (Hibernate), Spring Data JDBC and Spring Data R2DBC, none of which is
 * required. Spring Data also supports the annotation as a meta-annotation, but Hibernate
 * does not.
 * <p>
 * A {@code long} or {@code Long} gets the numeric form of an id. So does an {@code int}
 * or {@code Integer} if all ids of the generator fit. A {@code String} gets the text
 * form, and a {@code UUID} gets the UUID form. A record whose only component has one of
 * these types wraps the value. Numbers are never 0: a generated 0 is skipped, because
 * persistence libraries treat the number 0 as a missing id.
 * <p>
 * The application fails to start with an {@link dev.idspring.IdSetupException} if the
 * property has another type, if the generator does not exist, or if none of the libraries
 * manages the entity. It also fails to start if a column is too narrow for the ids or
 * contains ids that have not been issued yet.
 * <p>
 * A property is set only if its value is missing: {@code null}, or 0 in a primitive type.
 * The persistence library decides by its own rules whether an entity with an id is new.
 * <p>
 * With JPA, {@code persist} sets the {@code @Id}, and the flush sets other properties
 * before it validates the entity. With Spring Data, values are set after Spring Data JDBC
 * has called the listeners for its {@code BeforeConvertEvent}. Before-convert callbacks
 * of the application that declare no order are called later. An immutable entity is
 * replaced with a copy.
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
