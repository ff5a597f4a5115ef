package dev.idspring;

import java.io.ObjectInput;
import java.nio.file.Files;
import java.sql.Connection;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import dev.idspring.testsupport.SourceFiles;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The allowed dependencies between the packages of all modules, and the coding rules of
 * this project.
 */
@AnalyzeClasses(packages = "dev.idspring", importOptions = ArchitectureTests.ProductionCode.class)
class ArchitectureTests {

	private static final String ROOT = "dev.idspring";

	/**
	 * The classes of the persistence package, other than auto-configurations, that
	 * connect the package to templates, session factories and entity scanners.
	 */
	private static final String WIRING_CLASSES = "JdbcTemplatesPostProcessor|SpringDataJdbc|SessionFactorySettings|TypedIdScanner"
			+ "|BuiltSessionFactories";

	/**
	 * The limits for packages with more types than {@link #packagesAreSmall} allows in
	 * general. Reduce a limit when its package becomes smaller.
	 */
	private static final Map<String, Long> LARGER_LIMITS = Map.of("dev.idspring.jdbc", 48L,
			"dev.idspring.autoconfigure", 48L);

	private static final String ANNOTATIONS = "org.jspecify.annotations..";

	@ArchTest
	static final ArchRule rootDependsOnNoOtherPackage = onlyDependsOn(ROOT, ROOT, "javax.sql");

	@ArchTest
	static final ArchRule textIsPureMathematics = onlyDependsOn("dev.idspring.text..", ROOT, "dev.idspring.text..",
			"javax.crypto..");

	@ArchTest
	static final ArchRule keySpacesArePureMathematics = onlyDependsOn("dev.idspring.keyspace..", ROOT,
			"dev.idspring.keyspace..", "dev.idspring.text..");

	@ArchTest
	static final ArchRule workerDependsOnNoOtherPackage = onlyDependsOn("dev.idspring.worker..",
			"dev.idspring.worker..");

	@ArchTest
	static final ArchRule monitorKnowsNoStore = onlyDependsOn("dev.idspring.monitor..", ROOT, "dev.idspring.monitor..",
			"dev.idspring.text..", "dev.idspring.worker..");

	/**
	 * This package only generates SQL, which the user executes.
	 */
	@ArchTest
	static final ArchRule ddlIsPureText = onlyDependsOn("dev.idspring.tools.ddl..", ROOT, "dev.idspring.text..",
			"dev.idspring.keyspace..", "dev.idspring.time..", "dev.idspring.tools.ddl..");

	/**
	 * The package contains annotations, and the code that Hibernate calls for one of
	 * them. {@code DataSource} is allowed because the package records which data source
	 * inserts the rows of a property.
	 */
	@ArchTest
	static final ArchRule annotationsKnowOnlyHibernate = onlyDependsOn("dev.idspring.annotation..", ROOT,
			"dev.idspring.annotation..", "org.hibernate..", "jakarta.persistence..", "javax.sql..");

	@ArchTest
	static final ArchRule persistenceKnowsOnlySpringData = onlyDependsOn(
			withoutWiring("dev.idspring.autoconfigure.persistence..")
				.and(describe("are not wiring classes", (type) -> !type.getSimpleName().matches(WIRING_CLASSES))),
			ROOT, "dev.idspring.annotation..", "dev.idspring.autoconfigure.persistence..", "org.springframework.data..",
			"org.springframework.core..", "org.springframework.util..", "org.springframework.beans.factory.config..",
			"org.reactivestreams..", "reactor.core..", "javax.sql");

	/**
	 * Applications without a persistence library also use ids in JSON and requests.
	 */
	@ArchTest
	static final ArchRule formatsKnowNoPersistenceLibrary = noClasses().that()
		.haveNameMatching("dev\\.idspring\\.autoconfigure\\.persistence\\.IdFormats(\\$.*)?")
		.should()
		.dependOnClassesThat(resideInAnyPackage("org.springframework.data..", "reactor..", "org.hibernate.."));

	@ArchTest
	static final ArchRule jacksonModuleKnowsOnlyFormats = onlyDependsOn(
			withoutWiring("dev.idspring.autoconfigure.jackson.."), ROOT, "dev.idspring.annotation..",
			"dev.idspring.autoconfigure.persistence..", "dev.idspring.autoconfigure.jackson..", "tools.jackson..");

	/**
	 * Jackson 2 is allowed because Swagger uses its {@code JavaType}.
	 */
	@ArchTest
	static final ArchRule openApiKnowsOnlySwagger = onlyDependsOn(withoutWiring("dev.idspring.neighbours.openapi.."),
			ROOT, "dev.idspring.annotation..", "dev.idspring.monitor..", "dev.idspring.autoconfigure.persistence..",
			"dev.idspring.neighbours.openapi..", "io.swagger.v3..", "com.fasterxml.jackson..");

	/**
	 * This package contains the code that Spring MVC and Spring WebFlux share.
	 */
	@ArchTest
	static final ArchRule webKnowsNeitherMvcNorWebFlux = onlyDependsOn(
			withoutWiring("dev.idspring.autoconfigure.web.."), ROOT, "dev.idspring.annotation..",
			"dev.idspring.autoconfigure.persistence..", "dev.idspring.autoconfigure.web..",
			"org.springframework.beans..", "org.springframework.core..", "org.springframework.format..",
			"org.springframework.util..", "org.springframework.web.bind..", "org.springframework.web.method..",
			"org.springframework.web.service.invoker..", "org.springframework.data..");

	/**
	 * Data binding must also work without Spring Data.
	 */
	@ArchTest
	static final ArchRule springDataIsUsedOnlyForEntitiesInRequests = noClasses().that()
		.resideInAPackage("dev.idspring.autoconfigure.web..")
		.and()
		.haveNameNotMatching(".*\\.(IdEntityConverter|IdsWebMvcEntitiesAutoConfiguration).*")
		.should()
		.dependOnClassesThat(resideInAPackage("org.springframework.data.."));

	/**
	 * Applications with Spring Data JDBC may not have Reactor on their class path.
	 */
	@ArchTest
	static final ArchRule reactorIsUsedOnlyForR2dbc = noClasses().that()
		.resideInAPackage("dev.idspring.autoconfigure.persistence..")
		.and()
		.haveNameNotMatching(".*\\.(ReactiveGeneratedIdCallback|IdsDataR2dbcAutoConfiguration)(\\$.*)?")
		.should()
		.dependOnClassesThat(
				resideInAnyPackage("reactor..", "org.reactivestreams..", "org.springframework.data.r2dbc.."));

	/**
	 * The excluded classes may use Spring, because they run the schema script, inspect
	 * the application's data sources and drivers, or take part in the caller's Spring
	 * transaction.
	 */
	@ArchTest
	static final ArchRule jdbcStoresKnowNoFramework = classes().that()
		.resideInAPackage("dev.idspring.jdbc..")
		.and()
		.haveNameNotMatching(
				".*\\.(JdbcSchema|JdbcDatabase|JdbcGaplessStore|SequenceLock|CallerTransactions|DataSource(Relation|Settings)|Transaction(Conflicts|Managers|Pooler)|PoolerProbe)(\\$.*)?")
		.should()
		.onlyDependOnClassesThat(resideInAnyPackage(ROOT, "dev.idspring.block..", "dev.idspring.store..",
				"dev.idspring.gapless..", "dev.idspring.text..", "dev.idspring.worker..", "dev.idspring.monitor..",
				"dev.idspring.jdbc..", "java..", "javax.sql..", ANNOTATIONS));

	@ArchTest
	static final ArchRule redisStoresKnowOnlyLettuce = onlyDependsOn("dev.idspring.redis..", ROOT,
			"dev.idspring.store..", "dev.idspring.block..", "dev.idspring.worker..", "dev.idspring.monitor..",
			"dev.idspring.text..", "dev.idspring.redis..", "io.lettuce..", "org.springframework.data.redis..",
			"org.springframework.dao..", "org.springframework.beans", "org.apache.commons.logging..");

	/**
	 * Applications that store their key spaces in a database may have neither Lettuce nor
	 * Spring Data Redis on their class path.
	 */
	@ArchTest
	static final ArchRule redisIsUsedOnlyInItsWiring = noClasses().that()
		.haveNameNotMatching("dev\\.idspring\\.(redis\\..*|autoconfigure\\.(IdsRedisAuto|RedisStore)Con\\w+)")
		.should()
		.dependOnClassesThat(
				resideInAnyPackage("dev.idspring.redis..", "io.lettuce..", "org.springframework.data.redis.."));

	/**
	 * All code works with any store, except the classes that open the store, and some
	 * commands.
	 */
	@ArchTest
	static final ArchRule jdbcStoresAreUsedOnlyInTheirWiring = noClasses().that()
		.resideOutsideOfPackages("dev.idspring.jdbc..")
		.and()
		.haveNameNotMatching("dev\\.idspring\\.autoconfigure\\.(IdsJdbcAutoConfiguration|JdbcStoreConnector)(\\$.*)?"
				+ "|dev\\.idspring\\.tools\\.command\\.(Adopt\\w+|LeaveCommand|CommandContext)(\\$.*)?")
		.should()
		.dependOnClassesThat(describe("a store over JDBC",
				(type) -> type.getName().matches("dev\\.idspring\\.jdbc\\.Jdbc(KeySpace|Slot|Gapless)Store")));

	@ArchTest
	static final ArchRule endpointAndHealthKnowOnlyTheCore = onlyDependsOn(
			withoutWiring("dev.idspring.autoconfigure.actuate.."), ROOT, "dev.idspring.block..", "dev.idspring.store..",
			"dev.idspring.monitor..", "dev.idspring.text..", "dev.idspring.worker..",
			"dev.idspring.autoconfigure.actuate..", "org.springframework.aot.hint.annotation..",
			"org.springframework.boot.actuate.endpoint..", "org.springframework.lang",
			"com.fasterxml.jackson.annotation..");

	@ArchTest
	static final ArchRule metricsKnowOnlyPlainData = onlyDependsOn(
			withoutWiring("dev.idspring.autoconfigure.metrics.."), "dev.idspring.monitor..", "dev.idspring.worker..",
			"dev.idspring.autoconfigure.metrics..", "io.micrometer.core.instrument..", "io.micrometer.common..",
			"io.micrometer.observation..");

	@ArchTest
	static final ArchRule mybatisPlusKnowsOnlyAnnotations = onlyDependsOn(
			withoutWiring("dev.idspring.neighbours.mybatisplus.."), ROOT, "dev.idspring.annotation..",
			"dev.idspring.neighbours.mybatisplus..", "com.baomidou..", "org.apache.ibatis..",
			"org.springframework.core..", "org.springframework.util..", "javax.sql");

	@ArchTest
	static final ArchRule incrementersKnowOnlyGenerators = onlyDependsOn("dev.idspring.neighbours.batch..", ROOT,
			"dev.idspring.monitor..", "dev.idspring.neighbours.batch..", "org.springframework.batch.infrastructure..",
			"org.springframework.jdbc.support.incrementer..", "org.springframework.beans..", "javax.sql");

	@ArchTest
	static final ArchRule recordListenerKnowsOnlyGenerators = onlyDependsOn(
			withoutWiring("dev.idspring.neighbours.jooq.."), ROOT, "dev.idspring.annotation..",
			"dev.idspring.neighbours.jooq..", "org.jooq..", "javax.sql");

	@ArchTest
	static final ArchRule resourcesKnowOnlyEntitiesOfRequests = onlyDependsOn(
			withoutWiring("dev.idspring.neighbours.datarest.."), ROOT, "dev.idspring.autoconfigure.persistence..",
			"dev.idspring.autoconfigure.web..", "dev.idspring.neighbours.datarest..", "org.springframework.core..",
			"org.springframework.data.rest..");

	@ArchTest
	static final ArchRule scalarsKnowOnlyFormats = onlyDependsOn(withoutWiring("dev.idspring.neighbours.graphql.."),
			ROOT, "dev.idspring.autoconfigure.persistence..", "dev.idspring.neighbours.graphql..", "graphql..");

	@ArchTest
	static final ArchRule nothingDependsOnWiring = noClasses().that()
		.resideOutsideOfPackages("dev.idspring.autoconfigure..", "dev.idspring.tools..", "dev.idspring.neighbours..")
		.should()
		.dependOnClassesThat(resideInAPackage("dev.idspring.autoconfigure.."));

	/**
	 * The tools are on the class path of the starter at runtime only.
	 */
	@ArchTest
	static final ArchRule nothingDependsOnTools = noClasses().that()
		.resideOutsideOfPackage("dev.idspring.tools..")
		.should()
		.dependOnClassesThat(resideInAPackage("dev.idspring.tools.."));

	@ArchTest
	static final ArchRule nothingDependsOnNeighbours = noClasses().that()
		.resideOutsideOfPackage("dev.idspring.neighbours..")
		.should()
		.dependOnClassesThat(resideInAPackage("dev.idspring.neighbours.."));

	@ArchTest
	static final ArchRule noCycles = SlicesRuleDefinition.slices()
		.matching("dev.idspring.(**)")
		.should()
		.beFreeOfCycles();

	@ArchTest
	static final ArchRule clockIsReadInOnePlace = noClasses().that()
		.haveNameNotMatching("dev\\.idspring\\.worker\\.SystemTimeSource")
		.should()
		.callMethod(System.class, "currentTimeMillis")
		.orShould()
		.callMethod(System.class, "nanoTime")
		.orShould()
		.callMethod(Instant.class, "now")
		.orShould()
		.callMethod(LocalDateTime.class, "now")
		.orShould()
		.callMethod(Clock.class, "systemUTC")
		.orShould()
		.callMethod(Clock.class, "systemDefaultZone");

	/**
	 * Prevents SQL injection. Values of callers reach SQL only as bind variables, in
	 * {@code SqlStatements} and {@code CounterUpdate}. The other listed classes of the
	 * stores run SQL without such values. The tools that read or fill the application's
	 * own tables use names from the catalogue of the database.
	 */
	@ArchTest
	static final ArchRule onlyListedClassesCreateStatements = noClasses().that()
		.haveNameNotMatching(
				"dev\\.idspring\\.jdbc\\.(SqlStatements|\\w*Dialect|JdbcSchema|CounterUpdate|PoolerProbe)(\\$.*)?")
		.and()
		.haveNameNotMatching("dev\\.idspring\\.tools\\.(doctor\\..*|columns\\.IdsColumnsAutoConfiguration"
				+ "|command\\.(Adopt|Backfill|CommandContext|Leav).*)" + "|.*\\.(" + WIRING_CLASSES + ")")
		.should()
		.callMethodWhere(target(owner(assignableTo(Connection.class)))
			.and(target(nameMatching("createStatement|prepareStatement|prepareCall"))))
		.orShould()
		.dependOnClassesThat(resideInAPackage("org.springframework.jdbc.core.."));

	@ArchTest
	static final ArchRule nothingIsDeserialized = noClasses().should()
		.dependOnClassesThat(assignableTo(ObjectInput.class));

	@ArchTest
	static final ArchRule noSynchronizedMethods = noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED);

	@ArchTest
	static final ArchRule autoConfigurationsArePublicAndFinal = classes().that()
		.areAnnotatedWith(AutoConfiguration.class)
		.should()
		.bePublic()
		.andShould()
		.haveModifier(JavaModifier.FINAL);

	@ArchTest
	static final ArchRule autoConfigurationsHaveNoPublicMembers = noMethods().that()
		.areDeclaredInClassesThat()
		.areAnnotatedWith(AutoConfiguration.class)
		.should()
		.bePublic();

	@ArchTest
	static final ArchRule beanMethodsAreNeitherPublicNorPrivate = methods().that()
		.areAnnotatedWith(Bean.class)
		.should()
		.notBePublic()
		.andShould()
		.notBePrivate();

	@ArchTest
	static final ArchRule classConditionsAreOnClasses = noMethods().that()
		.areAnnotatedWith(Bean.class)
		.should()
		.beAnnotatedWith(ConditionalOnClass.class);

	@ArchTest
	static final ArchRule conditionsAreNotPublic = classes().that()
		.areAssignableTo(Condition.class)
		.should()
		.notBePublic();

	@ArchTest
	static final ArchRule postProcessorBeansAreStatic = methods().that()
		.areAnnotatedWith(Bean.class)
		.and(describe("return a post-processor",
				(JavaMethod method) -> method.getRawReturnType().isAssignableTo(BeanPostProcessor.class)
						|| method.getRawReturnType().isAssignableTo(BeanFactoryPostProcessor.class)))
		.should()
		.beStatic()
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule configurationPropertiesUseValue = classes().that()
		.areAnnotatedWith(ConfigurationProperties.class)
		.should()
		.beAnnotatedWith(describe("a value", (annotation) -> annotation.hasExplicitlyDeclaredProperty("value")));

	@ArchTest
	static final ArchRule caseMappingNamesALocale = noClasses().should()
		.callMethod(String.class, "toLowerCase")
		.orShould()
		.callMethod(String.class, "toUpperCase");

	/**
	 * Limits the number of top-level types per package. {@code docs/architecture.md}
	 * explains why package {@code jdbc} is larger.
	 */
	@ArchTest
	static void packagesAreSmall(JavaClasses classes) {
		Map<String, Long> types = topLevelTypes(classes)
			.collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
		assertThat(types).hasSizeGreaterThan(20)
			.allSatisfy((name, size) -> assertThat(size).as(name)
				.isLessThanOrEqualTo(LARGER_LIMITS.getOrDefault(name, 28L)));
	}

	/**
	 * Limits the number of public types. Reduce the limit when types are removed.
	 */
	@ArchTest
	static void fewTypesArePublic(JavaClasses classes) {
		assertThat(topLevelTypes(classes).filter((type) -> type.getModifiers().contains(JavaModifier.PUBLIC)))
			.hasSizeBetween(100, 173);
	}

	/**
	 * Limits the length of tests, so that each class has one topic.
	 */
	@Test
	void filesOfTestsAreShort() {
		assertThat(SourceFiles.of("*", "src/test/java")).hasSizeGreaterThan(300)
			.allSatisfy(
					(file) -> assertThat(Files.readAllLines(file)).as(file.toString()).hasSizeLessThanOrEqualTo(600));
	}

	private static Stream<JavaClass> topLevelTypes(JavaClasses classes) {
		return classes.stream()
			.filter((type) -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"));
	}

	private static ArchRule onlyDependsOn(String from, String... to) {
		return onlyDependsOn(resideInAPackage(from), to);
	}

	private static ArchRule onlyDependsOn(DescribedPredicate<JavaClass> from, String... to) {
		DescribedPredicate<JavaClass> allowed = resideInAnyPackage(to).or(resideInAnyPackage("java..", ANNOTATIONS));
		return classes().that(from).should().onlyDependOnClassesThat(allowed);
	}

	private static DescribedPredicate<JavaClass> withoutWiring(String from) {
		return resideInAPackage(from)
			.and(describe("are not auto-configurations", (type) -> !type.getName().contains("AutoConfiguration")));
	}

	/**
	 * The classes of all modules, without tests and their fixtures.
	 */
	static final class ProductionCode implements ImportOption {

		@Override
		public boolean includes(Location location) {
			return !location.contains("/test-classes/") && !location.contains("-tests.jar");
		}

	}

}
