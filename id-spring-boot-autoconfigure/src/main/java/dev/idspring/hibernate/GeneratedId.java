package dev.idspring.hibernate;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.ValueGenerationType;

/**
 * Lets an {@link dev.idspring.IdGenerator} fill a property of a JPA entity when the
 * entity is new: its {@code @Id}, a part of an {@code @EmbeddedId}, or any other column,
 * such as an id that is shown to the public. The property is a {@code long} or
 * {@code Long} for the numeric form of the id, or a {@code String} for its text form.
 * <p>
 * The value of an {@code @Id} is there after {@code persist}, that of another column
 * after the flush, which is when the row is inserted. Updates of the row change none. A
 * value that another column has already is kept, and so is an id if the entity has a
 * version that is {@code null}: that tells that it is new. Without one an entity that has
 * an id is taken for detached, as with all generated ids. Primitive properties never get
 * the id zero, as to JPA that is an entity without an id: a generator that comes to it is
 * asked once more.
 * <p>
 * Other types, and names that no generator has, fail at start-up with an
 * {@link dev.idspring.IdSetupException}.
 *
 * @since 0.1.0
 */
@Documented
@Target({ ElementType.FIELD, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@IdGeneratorType(EntityIdGenerator.class)
@ValueGenerationType(generatedBy = EntityIdGenerator.class)
public @interface GeneratedId {

	/**
	 * Return the name of the generator. By default it is the one that is named like the
	 * table the column is in, where upper and lower case, dashes and underscores make no
	 * difference, and {@code default} if there is none. In an inheritance hierarchy the
	 * table of the class that declares the property counts, which is the root's for ids.
	 * @return a name under {@code ids.generators}, {@code default}, or an empty text
	 */
	String value() default "";

}
